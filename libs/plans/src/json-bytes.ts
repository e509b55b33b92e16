/** Size of a value's JSON text in UTF-8: what it takes in an answer. */
export function jsonBytes(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
