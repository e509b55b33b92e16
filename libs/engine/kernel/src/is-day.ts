/** Whether the text is a day that there is: `2024-02-29`, and not the 30th of February, of which the parser makes a day of March. */
export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
