import type { JsonObject } from '#kernel';
import type { Directory, Linkifiers } from '#organization';

/** A linkifier in wire format (register.md §2, `realm_linkifiers`). */
export type WireLinkifier = JsonObject & {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
};

/** One list for all recipients, so that it is serialized once. */
const wires = new WeakMap<Linkifiers, readonly WireLinkifier[]>();

/** The organization's linkifiers in order. */
export function wireLinkifiers({ linkifiers }: Pick<Directory, 'linkifiers'>): readonly WireLinkifier[] {
  let wire = wires.get(linkifiers);
  if (wire === undefined) {
    wire = linkifiers.inOrder.map(({ linkifierId, pattern, urlTemplate }) => {
      return { id: linkifierId, pattern, url_template: urlTemplate };
    });
    wires.set(linkifiers, wire);
  }
  return wire;
}
