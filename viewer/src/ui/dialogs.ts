// Help and problems, as dialogs.

import type { Store } from "../store";
import { button, h, icon } from "./dom";
import { ICONS } from "./icons";

function dialog(id: string, title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const d = h("dialog", { id, "aria-labelledby": `${id}-title` });
  d.append(
    h("div", { class: "dialog-head" }, h("h2", { id: `${id}-title` }, title), h("span", { class: "spring" }),
      button({ class: "tool", "aria-label": "Close", title: "Close (Esc)" }, () => d.close(), icon(ICONS.close))),
    ...content);
  d.addEventListener("click", (e) => {
    if (e.target === d) d.close();
  });
  return d;
}

const KEYS: [string[], string][] = [
  [["↑", "↓"], "previous and next finding"],
  [["Enter"], "show the focused finding"],
  [["Esc"], "close the selection"],
  [["f"], "frame the clash: near, and with its parts; or all"],
  [["a"], "frame all"],
  [["1", "2", "3", "4"], "iso, front, right, top"],
  [["Shift", "arrows"], "turn the view"],
  [["+", "−"], "nearer, farther"],
  [["g"], "other parts: ghost, hide, show"],
  [["x"], "X-ray"],
  [["s"], "section: off, X, Y, Z"],
  [["space"], "play and pause"],
  [["←", "→"], "step through time"],
  [["/"], "search"],
  [["t"], "colours: as the system, light, dark"],
  [["?"], "this help"],
];

export function helpDialog(): HTMLDialogElement {
  const keys = h("dl", { class: "keys" });
  for (const [names, text] of KEYS) {
    const dt = h("dt", {});
    for (const name of names) dt.append(h("kbd", {}, name), " ");
    keys.append(dt, h("dd", {}, text));
  }
  return dialog("help", "Help",
    h("p", {}, "Choose a finding to fly to it: its two parts are shown, A in blue and B in orange, the others as ghosts. ",
      "Discs mark the nearest or deepest points, the arrow is the normal from A to B, the thick line is where the surfaces cross, and the thin box holds the overlap."),
    h("p", {}, "Distances come with bounds: the true value lies between them. Drag to turn, right-drag to move, wheel to zoom; click a part to see its findings."),
    keys);
}

/** Problems listed in the page. */
const MOST = 1000;

export function problemsDialog(store: Store): HTMLDialogElement {
  const { problems } = store.report;
  const list = h("ul", { class: "problems" });
  for (const text of problems.slice(0, MOST)) {
    const li = h("li", { dir: "auto" });
    li.textContent = text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
    list.append(li);
  }
  if (problems.length > MOST) list.append(h("li", {}, `… and ${problems.length - MOST} more`));
  return dialog("problems", "Problems noticed", list);
}
