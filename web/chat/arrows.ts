/** Arrow keys among buttons of which one alone is reached by Tab. */
import type { FocusEvent, KeyboardEvent } from 'react';

/** Buttons whose edges differ by less stand in one line. */
const SAME_LINE_PX = 2;

/** Left and right, Home and End; up and down too, where the buttons stand in lines. Up from the first line is left to the page. */
export function onArrow(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll('button')];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  if (at === -1) return;
  const forth = document.documentElement.dir === 'rtl' ? -1 : 1;
  const to = {
    ArrowRight: at + forth,
    ArrowLeft: at - forth,
    ArrowDown: inNextLine(all, at, 1),
    ArrowUp: inNextLine(all, at, -1),
    Home: 0,
    End: all.length - 1,
  }[event.key];
  const target = to === undefined ? undefined : all[to];
  if (target === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  target.focus();
}

/** The button that has the focus is the one that Tab comes back to. */
export function onArrowFocus({ currentTarget, target }: FocusEvent<HTMLElement>): void {
  if (!(target instanceof HTMLButtonElement)) return;
  for (const before of currentTarget.querySelectorAll<HTMLElement>('button[tabindex="0"]')) before.tabIndex = -1;
  target.tabIndex = 0;
}

/** Of the next line of buttons, the one that is nearest. */
function inNextLine(all: readonly HTMLElement[], at: number, step: 1 | -1): number | undefined {
  const from = all[at]?.getBoundingClientRect();
  if (from === undefined) return undefined;
  let line: number | undefined;
  let [nearest, distance]: [number | undefined, number] = [undefined, Infinity];
  for (let index = at + step; ; index += step) {
    const box = all[index]?.getBoundingClientRect();
    if (box === undefined) return nearest;
    if (Math.abs(box.top - from.top) < SAME_LINE_PX) continue;
    line ??= box.top;
    if (Math.abs(box.top - line) >= SAME_LINE_PX) return nearest;
    const away = Math.abs(box.left - from.left);
    if (away < distance) [nearest, distance] = [index, away];
  }
}
