/** Compares names for a list: by the reader's language, and numbers in them by their value. */
export const { compare: byName } = new Intl.Collator(undefined, { numeric: true });
