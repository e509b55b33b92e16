/** Size of a value as JSON in UTF-8, as in a response. */
export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
