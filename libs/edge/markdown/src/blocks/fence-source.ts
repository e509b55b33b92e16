/** The marker of a fence around the text, longer than any run of backticks in it. */
export function fenceAround(text: string, lengthMin = 3): string {
  const longest = Math.max(lengthMin - 1, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  return '`'.repeat(longest + 1);
}
