// The least clearance of every pair over the motion, as a table.

import { lengthText, rangeText, timeText } from "../data/format";
import type { Store } from "../store";
import { h, nameOf, set } from "./dom";

const MOST_ROWS = 2000;

/** The table; choosing a row shows the pair at its nearest moment. */
export function makeClearances(store: Store, pick: (index: number) => void): HTMLElement {
  const { report, motion } = store;
  const order = report.clearances.map((_, i) => i).sort((i, j) => report.clearances[i].distance - report.clearances[j].distance || i - j);
  const body = h("tbody");
  const rows = new Map<number, HTMLTableRowElement>();
  for (const i of order.slice(0, MOST_ROWS)) {
    const c = report.clearances[i];
    const bad = c.distance < 0;
    const choose = h("button", { type: "button", class: "row-button two-lines", tabindex: rows.size === 0 ? "0" : "-1" },
      h("span", { class: "part-line role-a" }, nameOf(report.parts[c.a].short, report.parts[c.a].name)), h("span", { class: "part-line role-b" }, nameOf(report.parts[c.b].short, report.parts[c.b].name)));
    const tr = h("tr", { "data-clearance": i },
      h("td", { class: "c-parts" }, choose),
      h("td", { class: "c-distance", title: `bounds ${rangeText(c)}` },
        h("div", { class: `value ${bad ? "depth" : "gap"}` }, lengthText(c.distance, report.unit)), h("div", { class: "under" }, rangeText(c))),
      h("td", { class: "c-time" }, timeText(c.time, motion?.unit ?? "")));
    tr.addEventListener("click", () => pick(i));
    rows.set(i, tr);
    body.append(tr);
  }
  store.on(["selection"], () => {
    const chosen = store.selection?.type === "clearance" ? store.selection.index : -1;
    for (const [i, tr] of rows) set(tr, { "aria-current": i === chosen ? "true" : null });
  });
  body.addEventListener("keydown", (e) => rove(e, body));
  return h("div", { class: "list" }, h("div", { class: "scroll" },
    h("table", { class: "findings clearances" },
      h("caption", { class: "unseen" }, "Least clearance of each pair over the motion, with bounds. Choose one to see it."),
      h("thead", {}, h("tr", {},
        h("th", { scope: "col", class: "c-parts" }, "Pair"), h("th", { scope: "col", class: "c-distance" }, "Least clearance"), h("th", { scope: "col", class: "c-time" }, "At"))),
      body)));
}

/** Arrow keys move the focus between the rows of the table. */
function rove(e: KeyboardEvent, body: HTMLElement): void {
  if (e.key !== "ArrowDown" && e.key !== "ArrowUp") return;
  const buttons = [...body.querySelectorAll<HTMLElement>(".row-button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  const to = buttons[at + (e.key === "ArrowDown" ? 1 : -1)];
  e.preventDefault();
  e.stopPropagation();
  if (at < 0 || !to) return;
  set(buttons[at], { tabindex: "-1" });
  set(to, { tabindex: "0" });
  to.focus();
}
