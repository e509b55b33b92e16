/** The browser puts each line by itself, and tells of each: hundreds of them take seconds. */
const LINES_MAX = 50;

/**
 * Puts text in place of a part of what is typed, behind which the caret is then. The browser can undo it like what was typed; after a
 * change by `setRangeText` or `value`, its undo stops, and its redo doubles texts. The field hears of it as of a key. A text
 * of many lines is not worth the wait.
 */
export function putText(element: HTMLTextAreaElement, text: string, from: number, to: number): void {
  const held = document.activeElement;
  element.focus();
  element.setSelectionRange(from, to);
  const isFor = document.activeElement === element && text.split('\n').length <= LINES_MAX;
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else writes to the undo history of a text field
  const isPut = isFor && document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
  // What is open over the page keeps the focus.
  if (!isPut) element.setRangeText(text, from, to, 'end');
  // Nobody who has gone on to a line of text types the rest of it here.
  if (held instanceof HTMLInputElement) held.focus();
}
