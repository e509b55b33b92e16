import { Type } from 'typebox';
import { credential } from '../credentials.js';
import { eventType, exactly } from '../registry.js';

/**
 * From where requests come: recorded once for each client, session and address of a process, before the first event of its requests.
 * Events name it by its number, its revision plus one. Archives have neither session nor address.
 */
export const visitBegan = eventType(
  'visit.began.v1',
  exactly({
    client: Type.String(),
    version: Type.Optional(Type.String()),
    session: Type.Optional(credential(Type.String())),
    address: Type.Optional(credential(Type.String())),
    /** Begin of the IDs of its requests. */
    requests: Type.String(),
  }),
);

export const visitEventTypes = [visitBegan] as const;
