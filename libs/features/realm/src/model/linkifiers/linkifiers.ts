import { unreachable } from '#kernel';
import type { Linkifier } from '#markdown';
import type { LinkifierEvent } from './linkifier.events.js';

/** A linkifier that the organization has configured. */
export interface ConfiguredLinkifier extends Linkifier {
  readonly linkifierId: number;
}

/** The organization's linkifiers. The state is replaced, never mutated, so a reader may keep it. */
export interface Linkifiers {
  /** When two match the same text, the earlier one wins. */
  readonly inOrder: readonly ConfiguredLinkifier[];
  /** The highest ID assigned so far, so that none is reused; 0 before the first. */
  readonly lastId: number;
}

export const NO_LINKIFIERS: Linkifiers = { inOrder: [], lastId: 0 };

export function evolveLinkifiers({ inOrder, lastId }: Linkifiers, event: LinkifierEvent): Linkifiers {
  switch (event.type) {
    case 'linkifier.added.v1': {
      const { linkifierId, pattern, urlTemplate } = event.data;
      return { inOrder: [...inOrder, { linkifierId, pattern, urlTemplate }], lastId: linkifierId };
    }
    case 'linkifier.changed.v1': {
      const { linkifierId, pattern, urlTemplate } = event.data;
      const changed = { linkifierId, pattern, urlTemplate };
      return { inOrder: inOrder.map((one) => (one.linkifierId === linkifierId ? changed : one)), lastId };
    }
    case 'linkifier.removed.v1':
      return { inOrder: inOrder.filter(({ linkifierId }) => linkifierId !== event.data.linkifierId), lastId };
    case 'linkifiers.reordered.v1': {
      const byId = new Map(inOrder.map((one) => [one.linkifierId, one]));
      return { inOrder: event.data.linkifierIds.flatMap((id) => byId.get(id) ?? []), lastId };
    }
    default:
      return unreachable(event);
  }
}
