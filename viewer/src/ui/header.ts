// The head of the page: what was checked and what was found.

import { countText, KIND_TEXT, numberText, unitSuffix } from "../data/format";
import { KINDS, type Kind } from "../data/report";
import type { Store, Theme } from "../store";
import { button, h, icon, nameOf, set } from "./dom";
import { ICONS, KIND_ICONS } from "./icons";

export interface HeaderActions {
  toggleKind(kind: Kind): void;
  help(): void;
  problems(): void;
}

export interface Header {
  element: HTMLElement;
  /** Shows which kinds are listed; an empty set lists all. */
  setKinds(kinds: ReadonlySet<Kind>): void;
}

function fact(label: string, value: string, title?: string): HTMLElement {
  return h("div", { class: "fact", title }, h("dt", {}, label), h("dd", {}, value));
}

function facts(store: Store, triangles: number): HTMLElement {
  const { report, motion } = store;
  const { pairs_tested: tested, pairs_possible: possible, seconds } = report.summary;
  const list = h("dl", { class: "facts", "aria-label": "What was checked" });
  list.append(fact("Parts", countText(report.parts.length)), fact("Triangles", countText(triangles)));
  if (tested !== null && possible !== 0) {
    const text = possible !== null ? `${countText(tested)} of ${countText(possible)}` : countText(tested);
    list.append(fact("Pairs tested", text, "Pairs left after the broad phase and the rules, of all pairs of parts"));
  }
  list.append(fact("Unit", report.unit ?? "not stated"));
  if (motion) list.append(fact("Motion", `${numberText(motion.start)} … ${numberText(motion.end)}${unitSuffix(motion.unit)}`));
  if (seconds !== null) list.append(fact("Checked in", `${numberText(seconds, 3)} s`));
  return list;
}

function kindChips(store: Store, toggle: (kind: Kind) => void): Map<Kind, HTMLButtonElement> {
  const counts = store.counts();
  const chips = new Map<Kind, HTMLButtonElement>();
  for (const kind of KINDS) {
    const stated = store.report.summary.by_kind[kind] ?? counts[kind];
    const total = Math.max(stated, counts[kind]);
    const { label, meaning } = KIND_TEXT[kind];
    const number = counts[kind] < total ? `${countText(counts[kind])} of ${countText(total)}` : countText(total);
    const chip = button(
      { class: `chip kind-${kind}`, "aria-pressed": "false", title: `${label}: ${meaning}`, disabled: total === 0, "data-kind": kind },
      () => toggle(kind),
      icon(KIND_ICONS[kind], "icon kind-icon"), h("span", { class: "chip-label" }, label), h("b", {}, number),
    );
    chips.set(kind, chip);
  }
  return chips;
}

const NEXT_THEME: Record<Theme, Theme> = { auto: "light", light: "dark", dark: "auto" };
const THEME_TEXT: Record<Theme, string> = { auto: "as the system", light: "light", dark: "dark" };

/** Steps through the system's theme, light and dark. */
export function nextTheme(store: Store): void {
  store.setTheme(NEXT_THEME[store.theme]);
}

function themeButton(store: Store): HTMLButtonElement {
  const text = h("span", { class: "theme-text" });
  const b = button({ class: "tool", id: "theme" }, () => nextTheme(store), icon(ICONS.theme), text);
  const update = (): void => {
    text.textContent = store.theme === "auto" ? "Auto" : store.theme === "dark" ? "Dark" : "Light";
    set(b, { title: `Colours: ${THEME_TEXT[store.theme]} (t)`, "aria-label": `Colours: ${THEME_TEXT[store.theme]}. Change` });
  };
  store.on(["theme"], update);
  update();
  return b;
}

export function makeHeader(store: Store, triangles: number, actions: HeaderActions): Header {
  const { report } = store;
  const chips = kindChips(store, actions.toggleKind);
  const counts = store.counts();
  // Touching parts are listed but are no clash.
  const clashes = report.findings.length - counts.touching;
  // A played motion with no pairs tested has no verdict.
  const tested = report.findings.length > 0 || report.summary.pairs_tested !== 0;
  const words = clashes === 1 ? "1 clash" : clashes ? `${countText(clashes)} clashes` : tested ? "No clashes" : "No pairs were tested";
  const verdict = h("p", { class: `verdict ${clashes ? "bad" : tested ? "good" : "none"}` }, words);
  const n = report.problems.length;
  const problems = n > 0 && button({ class: "tool warn", id: "problems-button", title: "What was noticed in the input" }, actions.problems,
    icon(ICONS.warn), h("span", {}, n === 1 ? "1 problem" : `${countText(n)} problems`));
  const title = h("h1", {});
  title.append(nameOf(report.title));
  const element = h("header", { class: "top" },
    h("div", { class: "top-line" },
      title, h("span", { class: "generator" }, report.generator), h("span", { class: "spring" }),
      facts(store, triangles), problems, themeButton(store),
      button({ class: "tool", id: "help-button", title: "Help and keys (?)", "aria-label": "Help and keys" }, actions.help, icon(ICONS.help))),
    h("div", { class: "top-line second" },
      verdict, tested && h("div", { class: "chips", role: "group", "aria-label": "Show only these kinds" }, ...chips.values())));
  return {
    element,
    setKinds(kinds) {
      for (const [kind, chip] of chips) set(chip, { "aria-pressed": String(kinds.has(kind)) });
    },
  };
}
