// Builds the page: bundles script and style with Vite and puts them into the template, with the hashes of both in its
// Content-Security-Policy. `node tools/build.mjs` writes dist/template.html; with `--check` it writes nothing and fails
// where the committed file is not, byte for byte, what the sources give.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = `${root}dist/template.html`;

const hash = (text) => `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;

/** The place of `mark` in `text`, which must be the only one. */
function once(text, mark) {
  if (text.split(mark).length !== 2) throw new Error(`${mark} must occur exactly once in the page`);
}

async function page() {
  await build({ root, configFile: `${root}vite.config.ts` });
  const [script, style, template] = await Promise.all(
    ["build/viewer.js", "build/viewer.css", "src/template.html"].map((f) => readFile(root + f, "utf8")),
  );
  await rm(`${root}build`, { recursive: true });
  const [js, css] = [script.trim(), style.trim()];
  if (/<\/script|<!--/i.test(js)) throw new Error("the script holds text that would end its element");
  if (/<\/style/i.test(css)) throw new Error("the style holds text that would end its element");
  const values = { "%SCRIPT_HASH%": hash(js), "%STYLE_HASH%": hash(css), "%SCRIPT%": js, "%STYLE%": css };
  // A function as the replacement: "$" in the bundle is no pattern.
  const html = template.replace(/%(?:SCRIPT|STYLE)(?:_HASH)?%/g, (mark) => values[mark]);
  once(html, "__CLEARANCE_TITLE__");
  once(html, "__CLEARANCE_REPORT__");
  return { html, js, css };
}

const { html, js, css } = await page();
if (process.argv.includes("--check")) {
  const committed = await readFile(out, "utf8").catch(() => "");
  if (committed !== html) {
    console.error("viewer/dist/template.html is not what the sources give: run `npm run build` in viewer/ and commit it.");
    process.exit(1);
  }
  console.log("viewer/dist/template.html is what the sources give.");
} else {
  await mkdir(`${root}dist`, { recursive: true });
  await writeFile(out, html);
  console.log(`dist/template.html: ${html.length} bytes (script ${js.length}, style ${css.length})`);
}
