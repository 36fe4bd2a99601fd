// The built page in a browser: what it lists, shows and does.

import assert from "node:assert/strict";
import test, { after, before } from "node:test";
import { alphas, openReport, rested, startBrowser, state } from "./browser.mjs";
import { crank } from "./fixtures.mjs";
import { makeFixtures } from "./make-fixtures.mjs";

let browser;
let address;
before(async () => {
  browser = await startBrowser();
  address = await makeFixtures();
});
after(() => browser?.close());

/** Opens a fixture, runs the checks, and demands that nothing went wrong meanwhile. */
function onPage(name, fixture, check, options) {
  test(name, async () => {
    const { page, faults, close } = await openReport(browser, address[fixture], options);
    await check(page);
    assert.deepEqual(faults, []);
    await close();
  });
}

const row = (page, index) => page.locator(`[data-index="${index}"]`);
const pixels = (page) => page.evaluate(() => window.clearanceReport.pixels());
const shown = async (page) => (await alphas(page)).flatMap((a, i) => (a > 0.1 ? [i] : []));
const place = (page, part) => page.evaluate((p) => window.clearanceReport.place(p), part);

onPage("the list has a row per finding, similar ones under one, and the head counts them", "cabinet", async (page) => {
  assert.deepEqual((await state(page)).rows, ["P1", "B1", "P2", "C1", "D1", "T1", "K1"]);
  assert.equal(await page.locator("table.findings tbody tr").count(), 7);
  assert.match(await page.locator(".verdict").textContent(), /11 clashes/);
  assert.match(await page.locator('.chip[data-kind="protruding"]').textContent(), /Protruding7/);
  assert.match(await page.locator(".facts").textContent(), /Parts20.*Pairs tested50 of 190.*Unitmm/);
  assert.match(await row(page, 5).textContent(), /Clearance.*drawer.*side panel, left.*5\.20.mm.*of 8 required/);
  await page.locator(".similar").click();
  assert.equal(await page.locator("table.findings tbody tr").count(), 12);
});

onPage("the canvas is not blank and clicks on it choose a part", "cabinet", async (page) => {
  // The first frame of a browser that has just been installed may take a while.
  let { colours, covered } = await pixels(page);
  for (let tries = 0; colours <= 50 && tries < 50; tries++) {
    await page.waitForTimeout(100);
    ({ colours, covered } = await pixels(page));
  }
  assert.ok(colours > 50, `${colours} colours`);
  assert.ok(covered > 0.1 && covered < 0.9, `${covered} covered`);
  const box = await page.locator(".canvas-host canvas").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  assert.equal((await state(page)).selection?.type, "part");
  await page.mouse.click(box.x + 5, box.y + 5);
  assert.equal((await state(page)).selection, null);
});

onPage("a click flies to the clash, isolates its two parts and draws its markers", "cabinet", async (page) => {
  const before = await page.evaluate(() => window.clearanceReport.camera());
  await row(page, 1).click();
  await rested(page);
  assert.equal((await state(page)).finding, "P2");
  assert.deepEqual(await shown(page), [1, 5]);
  assert.ok((await state(page)).markers >= 4);
  assert.notDeepEqual(await page.evaluate(() => window.clearanceReport.camera()), before);
  const details = await page.locator(".details").textContent();
  assert.match(details, /Protruding.*shelf.*side panel, right.*depth2\.5.mm/s);
  assert.match(details, /Overlap volume.*19.?799\.9.*19.?800\.1 mm³/s);
  assert.equal(await row(page, 1).getAttribute("aria-current"), "true");
  await page.locator('[data-others="hide"]').click();
  assert.equal((await alphas(page)).filter((a) => a > 0).length, 2);
  await page.locator('[data-others="show"]').click();
  assert.equal((await alphas(page)).filter((a) => a > 0.1).length, 20);
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).selection, null);
  assert.equal((await shown(page)).length, 20);
});

onPage("a flight ends at the clash where motion is welcome", "cabinet", async (page) => {
  // Asked at once: on a busy machine the flight may be over before the next question.
  const flying = await page.evaluate(() => {
    document.querySelector('[data-index="0"]').click();
    return window.clearanceReport.state().flying;
  });
  assert.equal(flying, true);
  await rested(page);
  assert.equal((await state(page)).finding, "P1");
}, { still: false });

onPage("the address names the finding, and opens it", "cabinet", async (page) => {
  await row(page, 4).click();
  assert.match(page.url(), /#T1$/);
  await page.reload();
  await page.waitForFunction(() => window.clearanceReport !== undefined);
  assert.equal((await state(page)).finding, "T1");
  await page.keyboard.press("Escape");
  assert.doesNotMatch(page.url(), /#T1/);
});

onPage("search, filter and sort", "cabinet", async (page) => {
  await page.keyboard.press("/");
  await page.keyboard.type("drawer");
  assert.deepEqual((await state(page)).rows, ["K1"]);
  await page.locator("#search").fill("panel left");
  assert.deepEqual((await state(page)).rows, ["P1", "K1"]);
  await page.locator("#search").fill("no such part");
  assert.deepEqual((await state(page)).rows, []);
  await page.getByText("Show all", { exact: true }).first().click();
  await page.locator('.chip[data-kind="touching"]').click();
  assert.deepEqual((await state(page)).rows, ["T1"]);
  assert.equal(await page.locator('.chip[data-kind="touching"]').getAttribute("aria-pressed"), "true");
  await page.locator('.chip[data-kind="duplicate"]').click();
  assert.deepEqual((await state(page)).rows, ["D1", "T1"]);
  await page.getByText("Show all", { exact: true }).first().click();
  await page.locator('th[data-sort="distance"] button').click();
  assert.deepEqual((await state(page)).rows, ["C1", "P1", "B1", "D1", "P2", "T1", "K1"]);
  assert.equal(await page.locator('th[data-sort="distance"]').getAttribute("aria-sort"), "ascending");
  await page.locator('th[data-sort="distance"] button').click();
  assert.equal((await state(page)).rows[0], "K1");
  await page.locator('th[data-sort="parts"] button').click();
  assert.equal((await state(page)).rows[0], "B1");
});

onPage("keys go through the findings and tools", "cabinet", async (page) => {
  await page.keyboard.press("ArrowDown");
  assert.equal((await state(page)).finding, "P1");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal((await state(page)).finding, "P2");
  await page.keyboard.press("ArrowUp");
  assert.equal((await state(page)).finding, "B1");
  const camera = () => page.evaluate(() => window.clearanceReport.camera());
  const at = await camera();
  await page.keyboard.press("Shift+ArrowLeft");
  assert.notDeepEqual(await camera(), at);
  await page.keyboard.press("g");
  assert.equal((await state(page)).others, "hide");
  await page.keyboard.press("s");
  assert.equal((await state(page)).section.axis, "x");
  await page.keyboard.press("?");
  assert.ok(await page.locator("dialog#help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(!(await page.locator("dialog#help").isVisible()));
  assert.equal((await state(page)).finding, "B1");
  await page.locator('[data-row="3"]').focus();
  await page.keyboard.press("Enter");
  assert.equal((await state(page)).finding, "D1");
});

onPage("the tree hides parts and makes them translucent, by mouse and by keys", "cabinet", async (page) => {
  await page.locator("#tab-parts").click();
  await page.locator('[data-part="5"] .eye').click();
  assert.equal((await alphas(page))[5], 0);
  await page.locator('[data-part="0"]').focus();
  await page.locator('[data-part="0"]').click();
  await page.locator("#opacity").fill("40");
  assert.ok(Math.abs((await alphas(page))[0] - 0.4) < 1e-6);
  await page.locator('[data-part="0"]').focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press(" ");
  assert.equal((await alphas(page))[1], 0);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press(" ");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator('[data-part="0"]').count(), 0);
  await page.getByRole("button", { name: "Show all" }).click();
  assert.ok((await alphas(page)).every((a) => a === 1));
});

onPage("the section plane cuts the view", "cabinet", async (page) => {
  const whole = (await pixels(page)).covered;
  await page.locator('[data-axis="x"]').click();
  await page.locator("#section-offset").fill("0");
  const { section } = await state(page);
  assert.equal(section.axis, "x");
  const one = (await pixels(page)).covered;
  await page.getByRole("button", { name: "Keep the other side" }).click();
  const other = (await pixels(page)).covered;
  assert.ok(Math.min(one, other) < 0.1 * whole && Math.max(one, other) > 0.8 * whole, `${whole}: ${one}, ${other}`);
  await page.locator("#section-exact").fill("12.5");
  await page.keyboard.press("Enter");
  assert.equal((await state(page)).section.offset, 12.5);
});

onPage("problems are listed as text", "cabinet", async (page) => {
  await page.locator("#problems-button").click();
  assert.equal(await page.locator("#problems li").count(), 2);
  assert.match(await page.locator("#problems").textContent(), /drawer\.obj: the mesh is open at 4 edges/);
});

onPage("a finding goes to its worst moment; the timeline moves the parts", "crank", async (page) => {
  const start = await place(page, 2);
  const { time: worst, intervals, first_contact: first } = crank().findings[0];
  await row(page, 0).click();
  assert.equal((await state(page)).time, worst);
  assert.ok((await state(page)).markers > 0);
  assert.deepEqual(await shown(page), [1, 3]);
  assert.notDeepEqual(await place(page, 2), start);
  const details = await page.locator(".details").textContent();
  for (const text of [`In collision${intervals[0][0]}° – ${intervals[0][1]}°, ${intervals[1][0]}°`, `First contact${first.lower} … ${first.upper}°`]) assert.ok(details.includes(text), `${text} in ${details}`);
  const plot = await page.locator(".plot").boundingBox();
  await page.mouse.move(plot.x + plot.width * 0.3, plot.y + 40);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.4, plot.y + 40, { steps: 4 });
  await page.mouse.up();
  const { time, markers } = await state(page);
  assert.ok(time > 120 && time < 150, `time ${time}`);
  assert.equal(markers, 0, "markers belong to the worst moment");
  assert.ok(await page.locator(".moment").isVisible());
  await page.locator("#worst").click();
  assert.equal((await state(page)).time, worst);
  await page.evaluate(() => window.clearanceReport.setTime(0));
  assert.deepEqual(await place(page, 2), start);
});

onPage("playing, stepping and the time slider", "crank", async (page) => {
  await page.keyboard.press(" ");
  await page.waitForFunction(() => window.clearanceReport.state().time > 5);
  assert.equal((await state(page)).playing, true);
  await page.keyboard.press(" ");
  const { time, playing } = await state(page);
  assert.equal(playing, false);
  await page.keyboard.press("ArrowRight");
  assert.ok((await state(page)).time > time);
  await page.locator("#time").fill("500");
  assert.equal((await state(page)).time, 180);
  assert.match(await page.locator("#time").getAttribute("aria-valuetext"), /^180°, least clearance/);
});

onPage("the table of clearances shows pairs at their nearest moment", "crank", async (page) => {
  await page.locator("#tab-clearances").click();
  assert.equal(await page.locator(".clearances tbody tr").count(), 5);
  assert.match(await page.locator(".clearances tbody tr").nth(1).textContent(), /piston headcylinder3\.356.mm.*120°/);
  await page.locator('[data-clearance="2"]').click();
  assert.equal((await state(page)).time, 36);
  assert.deepEqual(await shown(page), [0, 1]);
  assert.match(await page.locator(".now-value").textContent(), /clearance 4\.405 … 4\.425/);
});

onPage("a played simulation with no findings", "simulated", async (page) => {
  assert.match(await page.locator(".verdict").textContent(), /No pairs were tested/);
  assert.equal((await state(page)).rows.length, 0);
  const [ground, body] = [await place(page, 0), await place(page, 5)];
  await page.locator("#play").click();
  await page.waitForFunction(() => window.clearanceReport.state().time > 0.3, undefined, { timeout: 60_000 });
  await page.locator("#play").click();
  assert.deepEqual(await place(page, 0), ground);
  assert.notDeepEqual(await place(page, 5), body);
  assert.ok((await pixels(page)).covered > 0.1);
});

onPage("1,000 parts and 1,000,000 triangles", "big", async (page) => {
  assert.equal((await state(page)).triangles, 1_000_000);
  const { colours, covered } = await pixels(page);
  assert.ok(colours > 50 && covered > 0.2);
  await page.locator("tbody tr").nth(1).click();
  await rested(page);
  const { selection } = await state(page);
  assert.deepEqual(await shown(page), [3 * selection.index, 3 * selection.index + 1]);
  await page.waitForFunction(() => window.clearanceReport.state().pixelRatio === 1, undefined, { timeout: 60_000 });
  await page.locator("#tab-parts").click();
  await page.locator("#part-search").fill("vessel 77");
  assert.equal(await page.locator(".tree-row").count(), 19);
});

onPage("text from a hostile file stays text", "hostile", async (page) => {
  assert.equal(await page.evaluate(() => window.attacked), undefined);
  await row(page, 0).click();
  await page.locator("#tab-parts").click();
  await page.locator("#problems-button").click();
  assert.equal(await page.locator("img, b b, i, u, script:not([type]):not(:last-child)").count(), 0);
  assert.match(await page.title(), /<img src=x/);
  assert.match(await page.locator("h1").textContent(), /<img src=x onerror/);
  const problems = await page.locator("#problems").textContent();
  for (const said of ["Mesh 1 cannot be drawn", "Mesh 2 cannot be drawn", "Mesh 3 cannot be drawn", "Finding out of range", "Finding no such kind", "motion's times"]) {
    assert.ok(problems.includes(said), said);
  }
  assert.ok((await pixels(page)).covered > 0.05, "a scene far from the origin is drawn");
  assert.equal(await page.evaluate(() => window.attacked), undefined);
});

test("without WebGL the lists and figures are complete", async () => {
  const { page, close } = await openReport(browser, address.crank, {
    before: () => {
      const get = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
      };
    },
  });
  assert.match(await page.locator(".no-view").textContent(), /WebGL 2 is not available/);
  await page.keyboard.press("ArrowDown");
  assert.match(await page.locator(".details").textContent(), /Piercing.*connecting rod/s);
  await close();
});

for (const [fixture, message] of [["broken", /not JSON/], ["foreign", /no clearance report/]]) {
  test(`a file that is no report says so: ${fixture}`, async () => {
    const { page, close } = await openReport(browser, address[fixture], { expect: "error" });
    await page.locator("[role=alert]").waitFor();
    assert.match(await page.locator("[role=alert]").textContent(), message);
    await close();
  });
}

for (const [fixture, text] of [["tiny", /5e−7.m/], ["vast", /500000.m/]]) {
  onPage(`a scene of any size: ${fixture}`, fixture, async (page) => {
    const all = (await pixels(page)).covered;
    assert.ok(all > 0.1 && all < 0.9, `${all} covered`);
    await page.keyboard.press("ArrowDown");
    assert.match(await page.locator(".big").textContent(), text);
    assert.ok((await pixels(page)).covered > 0.1);
    const box = await page.locator(".canvas-host canvas").boundingBox();
    await page.mouse.click(box.x + box.width * 0.3, box.y + box.height / 2);
    assert.equal((await state(page)).selection.type, "part");
  });
}

onPage("a section through the clash, a nearer view and back", "cabinet", async (page) => {
  await row(page, 0).click();
  await page.getByRole("button", { name: "Cut here" }).click();
  const { section } = await state(page);
  assert.equal(section.offset, { x: -298, y: -200, z: 640 }[section.axis]);
  const away = () => page.evaluate(() => {
    const c = window.clearanceReport.camera();
    return Math.hypot(c[0] - c[3], c[1] - c[4], c[2] - c[5]);
  });
  const far = await away();
  await page.keyboard.press("f");
  assert.ok((await away()) < far);
  await page.keyboard.press("f");
  assert.ok(Math.abs((await away()) - far) < 1e-6 * far);
  // Wide enough that the toolbar keeps its one line, and the view its height.
}, { width: 1700 });

onPage("dark where the system is dark, and by the button", "cabinet", async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal((await state(page)).theme, "dark");
  const dark = await ground();
  await page.locator("#theme").click();
  assert.equal((await state(page)).theme, "light");
  assert.notEqual(await ground(), dark);
  await page.locator("#theme").click();
  assert.equal((await state(page)).theme, "dark");
}, { dark: true });

onPage("light where the system is light", "cabinet", async (page) => {
  assert.equal((await state(page)).theme, "light");
});

onPage("nothing is drawn while nothing changes", "cabinet", async (page) => {
  await page.waitForTimeout(400);
  const { frames } = await state(page);
  await page.waitForTimeout(500);
  assert.equal((await state(page)).frames, frames);
  // A frame after a rest is not taken for a slow one.
  await page.keyboard.press("s");
  await page.waitForTimeout(700);
  await page.keyboard.press("s");
  await page.waitForTimeout(300);
  assert.equal((await state(page)).pixelRatio, 1);
});

onPage("readable without a mouse: names, roles and order of focus", "crank", async (page) => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, input, select, [role=treeitem]")].filter((e) => {
      const label = e.getAttribute("aria-label") ?? e.textContent?.trim() ?? "";
      const labelled = e.id && document.querySelector(`label[for="${e.id}"]`);
      return !label && !labelled;
    }).map((e) => e.outerHTML.slice(0, 120)));
  assert.deepEqual(nameless, []);
  const focused = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    focused.push(await page.evaluate(() => document.activeElement?.id || document.activeElement?.className || document.activeElement?.tagName));
  }
  for (const wanted of ["theme", "help-button", "tab-findings", "search", "row-button", "play", "time"]) assert.ok(focused.includes(wanted), `${wanted} in ${focused}`);
  assert.equal(await page.locator("table caption").count(), 2);
});

onPage("a narrow window shows view, timeline and list", "crank", async (page) => {
  for (const part of [".canvas-host canvas", ".plot", "table.findings tbody tr"]) {
    const box = await page.locator(part).first().boundingBox();
    assert.ok(box && box.width > 100 && box.y + 20 < 860 && box.x >= 0 && box.x + box.width <= 420, part);
  }
}, { width: 420, height: 860 });
