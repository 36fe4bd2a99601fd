// Opens reports in headless Chromium with software rendering, and watches for errors and requests.

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const PLACES = process.env.CHROMIUM ? [process.env.CHROMIUM] : ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const MISSING = "Chromium is not installed: run `apt-get install chromium` (Debian), or set CHROMIUM to its path.";

/** Starts the browser; an error says what to install where there is none. */
export async function startBrowser() {
  const executablePath = PLACES.find((p) => existsSync(p));
  if (!executablePath) throw new Error(MISSING);
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--disable-dev-shm-usage"],
  });
}

/** A page with the report open and ready; `faults` collects console errors, exceptions and requests to anywhere but the file. */
export async function openReport(browser, address, options = {}) {
  const { width = 1440, height = 900, dark = false, still = true, expect = "ready", before = null } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: still ? "reduce" : "no-preference" });
  const page = await context.newPage();
  if (before) await page.addInitScript(before);
  const faults = [];
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type()) && !/GPU stall|GL Driver Message|software WebGL/i.test(m.text())) faults.push(`console: ${m.text()}`);
  });
  page.on("pageerror", (e) => faults.push(`exception: ${e.message}`));
  page.on("request", (r) => {
    if (r.url().split("#")[0] !== address && !r.url().startsWith("data:")) faults.push(`request: ${r.url()}`);
  });
  await page.goto(address);
  if (expect === "ready") await page.waitForFunction(() => window.clearanceReport !== undefined, undefined, { timeout: 120_000 });
  return { page, faults, close: () => context.close() };
}

export const state = (page) => page.evaluate(() => window.clearanceReport.state());
export const alphas = (page) => page.evaluate(() => window.clearanceReport.alphas());
/** Waits until the camera rests. */
export const rested = (page) => page.waitForFunction(() => !window.clearanceReport.state().flying);
