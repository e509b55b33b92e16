/** The longest e-mail address, by which clients find what they sent; longer than any name, and short enough to be read. */
const LENGTH_MAX = 254;

/** The beginning of a client's text, for the answer that names it. Ends before a character of which only half would fit. */
export function excerpt(text: string, lengthMax = LENGTH_MAX): string {
  const cut = text.slice(0, lengthMax);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
