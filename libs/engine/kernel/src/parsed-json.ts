/** The value of JSON that nobody vouches for; undefined when it is malformed. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
