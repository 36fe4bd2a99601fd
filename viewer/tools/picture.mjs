// A picture of a report with its first finding chosen: node tools/picture.mjs REPORT.html PICTURE.png

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openReport, rested, startBrowser } from "../tests/browser.mjs";

const [report, picture] = process.argv.slice(2);
if (!report || !picture) {
  console.error("node tools/picture.mjs REPORT.html PICTURE.png");
  process.exit(2);
}
const browser = await startBrowser();
const { page, faults, close } = await openReport(browser, pathToFileURL(resolve(report)).href, { width: 1280, height: 800 });
await page.locator('[data-index="0"]').click();
await rested(page);
await page.waitForTimeout(300);
await page.screenshot({ path: picture });
await close();
await browser.close();
if (faults.length > 0) {
  console.error(faults);
  process.exit(1);
}
