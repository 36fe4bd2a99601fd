// Load time and frame time of the large fixture on this machine: node tools/frame-times.mjs

import { openReport, startBrowser } from "../tests/browser.mjs";
import { makeFixtures } from "../tests/make-fixtures.mjs";

const { big } = await makeFixtures();
const browser = await startBrowser();
const { page } = await openReport(browser, big);
const measure = async (what, full, count) => {
  const times = await page.evaluate(([n, f]) => window.clearanceReport.frameTimes(n, f), [count, full]);
  times.shift();
  times.sort((a, b) => a - b);
  console.log(`${what}: median ${times[times.length >> 1].toFixed(0)} ms, least ${times[0].toFixed(0)} ms (${times.length} frames)`);
};
console.log(`ready after ${(await page.evaluate(() => window.clearanceReport.loadMs)).toFixed(0)} ms`);
console.log(await page.evaluate(() => {
  const gl = document.querySelector("canvas").getContext("webgl2");
  return gl.getParameter(gl.getExtension("WEBGL_debug_renderer_info").UNMASKED_RENDERER_WEBGL);
}));
await measure("all parts, in full", true, 5);
await measure("all parts, while moving", false, 8);
await page.locator("tbody tr").first().click();
await measure("a finding, in full", true, 5);
await measure("a finding, while moving", false, 8);
await browser.close();
