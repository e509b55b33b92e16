/** Over https other hosts of the domain cannot set this one, and the other name is not the server's. */
const nameOfCookie = (): string => (location.protocol === 'https:' ? '__Host-sessionmark' : 'sessionmark');

/** What tells the browser's session from others, by the server's cookie; empty without one. It opens nothing. */
export function sessionMark(): string {
  const wanted = nameOfCookie();
  const cookies = document.cookie.split(';').map((pair) => pair.trim().split('='));
  return cookies.find(([name]) => name === wanted)?.[1] ?? '';
}
