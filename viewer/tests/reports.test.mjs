// Reports written by the program itself: REPORTS=FOLDER npm test opens every HTML file in the folder.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { alphas, openReport, rested, startBrowser, state } from "./browser.mjs";

const folder = process.env.REPORTS;
const files = folder ? readdirSync(folder).filter((f) => f.endsWith(".html")).map((f) => resolve(folder, f)) : [];

/** The data that a report carries. */
function dataOf(file) {
  const text = readFileSync(file, "utf8");
  const start = text.indexOf(">", text.indexOf('id="clearance-report"')) + 1;
  return JSON.parse(text.slice(start, text.indexOf("</script>", start)));
}

test("reports in a folder", { skip: folder ? false : "REPORTS names no folder" }, async (t) => {
  assert.ok(files.length > 0, `no HTML files in ${folder}`);
  const browser = await startBrowser();
  for (const file of files) {
    await t.test(file, async () => {
      const data = dataOf(file);
      const { page, faults, close } = await openReport(browser, pathToFileURL(file).href);
      const listed = await page.evaluate(() => [...document.querySelectorAll(".similar")].length);
      const { rows } = await state(page);
      if (listed === 0) assert.equal(rows.length, data.findings.length);
      else assert.ok(rows.length > 0 && rows.length < data.findings.length);
      const { colours, covered } = await page.evaluate(() => window.clearanceReport.pixels());
      assert.ok(colours > 10 && covered > 0.01, `${colours} colours, ${covered} covered`);
      if (rows.length > 0) {
        await page.keyboard.press("ArrowDown");
        await rested(page);
        const finding = data.findings.find((f) => f.id === rows[0]);
        assert.equal((await state(page)).finding, finding.id);
        const shown = (await alphas(page)).flatMap((a, i) => (a > 0.1 ? [i] : []));
        assert.deepEqual(shown, [finding.a, finding.b].sort((a, b) => a - b));
      }
      if (data.motion?.moving.length > 0) {
        const part = data.motion.moving[0].part;
        const places = [];
        for (const f of [0, 0.31]) {
          const time = data.motion.start + (data.motion.end - data.motion.start) * f;
          places.push(await page.evaluate(([t2, p]) => (window.clearanceReport.setTime(t2), window.clearanceReport.matrix(p)), [time, part]));
        }
        assert.notDeepEqual(places[0], places[1], "the first moving part moves");
      }
      assert.deepEqual(faults, []);
      await close();
    });
  }
  await browser.close();
});
