/** Causes may lead back to where they began. */
const ERRORS_MAX = 8;

/** An error, its cause, the cause of that and so on, as far as they are errors. */
export function withCauses(error: unknown): readonly Error[] {
  const found: Error[] = [];
  for (let each = error; each instanceof Error && found.length < ERRORS_MAX; each = each.cause) found.push(each);
  return found;
}
