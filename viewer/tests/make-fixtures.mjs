// Writes the fixture reports as HTML files, as `clearance check --report` does: the built page with the data put in.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { FIXTURES } from "./fixtures.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
export const folder = `${root}build-fixtures/`;

const escapeText = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** The page with a report in it. */
export function pageWith(template, report) {
  const [head, rest] = template.split("__CLEARANCE_TITLE__");
  const [middle, tail] = rest.split("__CLEARANCE_REPORT__");
  const json = typeof report === "string" ? report : JSON.stringify(report);
  return head + escapeText(String(report.title ?? "")) + middle + json.replace(/</g, "\\u003c") + tail;
}

/** Writes all fixtures; returns their file: addresses by name. */
export async function makeFixtures() {
  const template = await readFile(`${root}dist/template.html`, "utf8");
  await mkdir(folder, { recursive: true });
  const all = { ...FIXTURES, broken: () => "{ this is not JSON", foreign: () => ({ format: "something else" }) };
  const out = {};
  for (const [name, make] of Object.entries(all)) {
    const file = `${folder}${name}.html`;
    await writeFile(file, pageWith(template, make()));
    out[name] = pathToFileURL(file).href;
  }
  return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, address] of Object.entries(await makeFixtures())) console.log(name, address);
}
