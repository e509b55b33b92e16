export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Whether nothing comes after these. */
  readonly isLast: boolean;
}

/** The rows with the lowest IDs behind one. */
export function pageAfter<Row>(
  rows: Iterable<Row>,
  idOf: (row: Row) => number,
  { after, limit }: { readonly after: number; readonly limit: number },
): Page<Row> {
  const found = [...rows].filter((row) => idOf(row) > after).sort((one, other) => idOf(one) - idOf(other));
  return { rows: found.slice(0, limit), isLast: found.length <= limit };
}
