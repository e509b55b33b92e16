import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Who did it, and when in seconds since the epoch. */
const Done = { by: Id, at: Type.Integer() };
/** In lower case. */
const Domain = { domain: Type.String() };

export const domainAdded = organizationEvent(
  'domain.added.v1',
  exactly({ domainId: Id, ...Domain, allowSubdomains: Type.Boolean(), ...Done }),
);

export const domainChanged = organizationEvent(
  'domain.changed.v1',
  exactly({ ...Domain, allowSubdomains: Type.Boolean(), ...Done }),
);

export const domainRemoved = organizationEvent('domain.removed.v1', exactly({ ...Domain, ...Done }));

export const domainEventTypes = [domainAdded, domainChanged, domainRemoved] as const;

export type DomainsEvent = EventOf<(typeof domainEventTypes)[number]>;
