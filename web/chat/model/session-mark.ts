const NAMES: readonly string[] = ['sessionmark', '__Host-sessionmark'];

/** What tells the browser's session from others, by the server's cookie; empty without one. It opens nothing. */
export function sessionMark(): string {
  const cookies = document.cookie.split(';').map((pair) => pair.trim().split('='));
  return cookies.find(([name = '']) => NAMES.includes(name))?.[1] ?? '';
}
