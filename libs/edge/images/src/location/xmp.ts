const NAME = /<?exif:GPS[A-Za-z]*/g;
const VALUE = /\s*=\s*["']/y;

/**
 * Replaces the properties `exif:GPS…` of XMP by spaces, as attributes and as elements.
 * @param bytes XML; changed
 * @returns whether there were any
 */
export function erasePlaceInXmp(bytes: Buffer): boolean {
  // One character for each byte.
  const text = bytes.toString('latin1');
  let isErased = false;
  for (let from = 0; ;) {
    NAME.lastIndex = from;
    const found = NAME.exec(text);
    if (found === null) return isErased;
    const name = found[0];
    const end = name.startsWith('<') ? endOfElement(text, name, NAME.lastIndex) : endOfAttribute(text, NAME.lastIndex);
    // Without an end it is no XML, and none of what follows has one either.
    if (end === -1) return isErased;
    if (end !== undefined) {
      bytes.fill(' ', found.index, end);
      isErased = true;
    }
    from = end ?? NAME.lastIndex;
  }
}

/** @returns -1 when it has no end */
function endOfElement(text: string, name: string, from: number): number {
  const tagEnd = text.indexOf('>', from);
  if (tagEnd === -1) return -1;
  if (text[tagEnd - 1] === '/') return tagEnd + 1;
  const closing = text.indexOf(`</${name.slice(1)}`, tagEnd);
  const end = closing === -1 ? -1 : text.indexOf('>', closing);
  return end === -1 ? -1 : end + 1;
}

/** @returns undefined for what is no attribute, -1 when it has no end */
function endOfAttribute(text: string, from: number): number | undefined {
  VALUE.lastIndex = from;
  if (!VALUE.test(text)) return undefined;
  const quote = VALUE.lastIndex - 1;
  const end = text.indexOf(text.charAt(quote), quote + 1);
  return end === -1 ? -1 : end + 1;
}
