import { type JsonObject, memoized } from '#kernel';
import type { Directory, Linkifiers } from '#organization';

/** A linkifier in wire format (register.md §2, `realm_linkifiers`). */
export type WireLinkifier = JsonObject & {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
};

/** One list for all recipients, so that it is serialized once. */
const wireList = memoized(({ inOrder }: Linkifiers): readonly WireLinkifier[] =>
  inOrder.map(({ linkifierId, pattern, urlTemplate }) => ({ id: linkifierId, pattern, url_template: urlTemplate })),
);

/** The organization's linkifiers in order. */
export function wireLinkifiers({ linkifiers }: Pick<Directory, 'linkifiers'>): readonly WireLinkifier[] {
  return wireList(linkifiers);
}
