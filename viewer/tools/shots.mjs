// Pictures of the fixtures, to be looked at by a person: node tools/shots.mjs FOLDER

import { mkdir } from "node:fs/promises";
import { alphas, openReport, rested, startBrowser, state } from "../tests/browser.mjs";
import { makeFixtures } from "../tests/make-fixtures.mjs";

const folder = process.argv[2] ?? "build-fixtures/shots";
const only = process.argv[3];
await mkdir(folder, { recursive: true });
const addresses = await makeFixtures();
const browser = await startBrowser();

const SHOTS = [
  ["cabinet-light", "cabinet", {}, async () => {}],
  ["cabinet-piercing", "cabinet", {}, async (p) => p.locator('[data-index="0"]').click()],
  ["cabinet-contained-dark", "cabinet", { dark: true }, async (p) => p.locator('[data-index="2"]').click()],
  ["cabinet-section-dark", "cabinet", { dark: true }, async (p) => {
    await p.locator('[data-axis="y"]').click();
  }],
  ["crank-dark", "crank", { dark: true }, async (p) => p.locator('[data-index="0"]').click()],
  ["crank-light", "crank", {}, async (p) => {
    await p.locator("#tab-clearances").click();
    await p.locator('[data-clearance="1"]').click();
  }],
  ["crank-all", "crank", {}, async () => {}],
  ["simulated", "simulated", { dark: true }, async (p) => p.evaluate(() => window.clearanceReport.setTime(1.3))],
  ["hostile", "hostile", {}, async (p) => p.locator('[data-index="0"]').click()],
  ["parts-light", "cabinet", { width: 1100, height: 760 }, async (p) => {
    await p.locator("#tab-parts").click();
    await p.locator('[data-part="5"]').click();
  }],
  ["phone", "crank", { width: 420, height: 860 }, async (p) => p.locator('[data-index="0"]').click()],
  ["wide", "crank", { width: 1920, height: 1080 }, async (p) => p.locator('[data-index="1"]').click()],
  ["help", "cabinet", { dark: true }, async (p) => p.keyboard.press("?")],
  ["big", "big", {}, async () => {}],
  ["big-focus", "big", { dark: true }, async (p) => p.locator("tbody tr").first().click()],
];

for (const [name, fixture, options, act] of SHOTS) {
  if (only && !name.includes(only)) continue;
  const { page, faults, close } = await openReport(browser, addresses[fixture], options);
  await act(page);
  await rested(page);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${folder}/${name}.png` });
  const s = await state(page);
  console.log(name, faults, s.finding, (await alphas(page)).filter((a) => a === 1).length);
  await close();
}
await browser.close();
