const PATH_LENGTH_MAX = 2_000;

/** A path of this server, to which a browser is sent after signing in; `/` for anything else. */
export function nextPath(asked: string | undefined): string {
  if (asked === undefined || asked.length > PATH_LENGTH_MAX) return '/';
  // Browsers take a backslash for a slash, and two slashes for another host.
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(asked) ? asked : '/';
}
