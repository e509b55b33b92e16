/** Puts the focus on what is read: the message where the reader is, or the view. */
export function focusMain(): void {
  (document.querySelector<HTMLElement>('[role=article][tabindex="0"]') ?? document.getElementById('main'))?.focus();
}
