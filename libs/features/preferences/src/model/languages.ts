const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The English name of a language by its code, such as `de` or `zh-hans`; undefined for an unknown language. */
export function languageName(code: string): string | undefined {
  try {
    return englishNames.of(code);
  } catch {
    // A malformed code throws a RangeError.
    return undefined;
  }
}
