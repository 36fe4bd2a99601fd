// Keys of the page. Fields, sliders and buttons keep the keys that are theirs.

import type { Others } from "../store";

export interface KeyActions {
  step(by: 1 | -1): void;
  time: ((by: number) => void) | null;
  play: (() => void) | null;
  frame(): void;
  frameAll(): void;
  side(index: number): void;
  orbit(right: number, up: number): void;
  zoom(factor: number): void;
  clear(): void;
  others(): void;
  xray(): void;
  section(): void;
  search(): void;
  theme(): void;
  help(): void;
}

export const NEXT_OTHERS: Record<Others, Others> = { ghost: "hide", hide: "show", show: "ghost" };
const TURN = Math.PI / 24;

function arrows(e: KeyboardEvent, actions: KeyActions): boolean {
  const x = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
  const y = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
  if (x === 0 && y === 0) return false;
  if (e.shiftKey) actions.orbit(x * TURN, y * TURN);
  else if (y !== 0) actions.step(y as 1 | -1);
  else if (actions.time) actions.time(x);
  else actions.step(x as 1 | -1);
  return true;
}

function letters(key: string, actions: KeyActions): boolean {
  switch (key) {
    case "j": actions.step(1); return true;
    case "k": actions.step(-1); return true;
    case "f": actions.frame(); return true;
    case "a": actions.frameAll(); return true;
    case "1": case "2": case "3": case "4": actions.side(Number(key) - 1); return true;
    case "+": case "=": actions.zoom(0.8); return true;
    case "-": actions.zoom(1.25); return true;
    case "g": actions.others(); return true;
    case "x": actions.xray(); return true;
    case "s": actions.section(); return true;
    case "/": actions.search(); return true;
    case "t": actions.theme(); return true;
    case "?": actions.help(); return true;
    default: return false;
  }
}

export function listenToKeys(actions: KeyActions): void {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    const target = e.target as Element;
    const typing = target.matches("input:not([type=range]), select, textarea");
    if (e.key === "Escape") {
      if (typing) (target as HTMLElement).blur();
      else actions.clear();
      return;
    }
    if (typing) return;
    const sliding = target.matches("input[type=range], [role=tab]");
    let done = !sliding && arrows(e, actions);
    if (!done && e.key === " " && actions.play && !target.matches("button:not(.row-button), summary")) {
      actions.play();
      done = true;
    }
    done ||= letters(e.key, actions);
    if (done) e.preventDefault();
  });
}
