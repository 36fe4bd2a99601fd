// Rules for the sources: no text becomes markup, nothing is fetched, files and functions stay small, the lock file names no host.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = ["src", "tests", "tools"].flatMap((folder) =>
  readdirSync(root + folder, { recursive: true }).filter((f) => /\.(ts|mjs|css)$/.test(f)).map((f) => `${folder}/${f}`));
const text = (f) => readFileSync(root + f, "utf8");
const sources = files.filter((f) => f.startsWith("src/") && f.endsWith(".ts"));

test("no source makes markup from text, runs text as code or asks the network", () => {
  const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\(|new Function|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon|import\(/;
  assert.ok(sources.length > 20);
  for (const f of sources) assert.doesNotMatch(text(f), forbidden, f);
});

test("files are under 500 lines", () => {
  for (const f of files) assert.ok(text(f).split("\n").length < 500, f);
});

test("the lock file names no registry", () => {
  assert.doesNotMatch(text("package-lock.json"), /"resolved"/);
});

test("the page has its two placeholders once each, and its policy allows no network", () => {
  const page = text("dist/template.html");
  for (const mark of ["__CLEARANCE_TITLE__", "__CLEARANCE_REPORT__"]) assert.equal(page.split(mark).length, 2, mark);
  assert.match(page, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
  assert.doesNotMatch(page, /%(SCRIPT|STYLE)/);
});
