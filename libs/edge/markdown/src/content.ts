const TRUNCATED = '\n[message truncated]';

/**
 * Normalises content for storage: line ends are `\n`, without trailing blanks and leading newlines (rules.md §5). The caller refuses empty content and NUL.
 */
export function normalizeContent(raw: string): string {
  const unified = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  let start = 0;
  while (unified.charCodeAt(start) === 10) start++;
  return unified.slice(start).trimEnd();
}

/** Content of at most `lengthLimit` code points; truncated content ends in a line that says so. */
export function truncateContent(content: string, lengthLimit: number): string {
  if (content.length <= lengthLimit) return content;
  const points = Array.from(content);
  if (points.length <= lengthLimit) return content;
  return points.slice(0, Math.max(0, lengthLimit - TRUNCATED.length)).join('') + TRUNCATED;
}

/** Whether clients show the message as an action of its sender: `/me waves`. */
export function isMeMessage(content: string): boolean {
  return content.startsWith('/me ');
}
