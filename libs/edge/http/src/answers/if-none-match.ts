/**
 * Whether a client that sends this header has the content with the tag already, so that the answer is 304 (RFC 9110
 * §13.1.2). Weak tags count like strong ones, and `*` stands for any content.
 */
export function hasContent(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}
