import { fieldText } from '#feature';
import { apiEmail, type User } from '#users/model';
import {
  type EventSchemas,
  integer,
  map,
  named,
  number,
  object,
  oneOf,
  optional,
  text,
  truth,
  type Wire,
  words,
} from '#wire';
import type { Presence } from './presence-book.js';

/** `active` until the user is connected so much longer than active (rules.md §11). */
const ACTIVE_OFFSET_S = 70;

/** Presence in the modern format. A user who was never seen active was so, for clients, when they joined. */
const PresenceSchema = named('Presence', object({ active_timestamp: integer, idle_timestamp: integer }));
export type WirePresence = Wire<typeof PresenceSchema>;

const LegacyPresenceSchema = named(
  'LegacyPresence',
  object({ client: text, status: words('active', 'idle'), timestamp: integer, pushable: truth }),
);
export type LegacyPresence = Wire<typeof LegacyPresenceSchema>;

/** Of one user, by client program; `aggregated` stands for all of them. */
const LegacyPresencesSchema = map(map(LegacyPresenceSchema));

/** By user ID in the modern format, by address in the legacy one. */
export const PresencesSchema = oneOf(map(PresenceSchema), LegacyPresencesSchema);

export const presenceEventSchemas = {
  presence: [
    { presences: map(PresenceSchema) },
    { user_id: integer, email: optional(text), server_timestamp: number, presence: map(LegacyPresenceSchema) },
  ] as const,
} satisfies EventSchemas;

export const presenceFieldSchemas = {
  presences: PresencesSchema,
  server_timestamp: number,
  presence_last_update_id: integer,
};

export function wirePresence({ activeAt, connectedAt }: Presence, { joinedAt }: User): WirePresence {
  return { active_timestamp: activeAt === 0 ? joinedAt : activeAt, idle_timestamp: connectedAt };
}

/** Presence as of the user's only "client", as earlier clients read it. */
export function legacyPresence({ activeAt, connectedAt }: Presence): LegacyPresence {
  const isActive = activeAt + ACTIVE_OFFSET_S >= connectedAt;
  return {
    client: 'website',
    status: isActive ? 'active' : 'idle',
    timestamp: isActive ? activeAt : connectedAt,
    pushable: false,
  };
}

/** An entry of `presences` as JSON text, by the user's ID. Numbers need no escaping. */
export function modernEntry(presence: Presence, user: User): string {
  const { active_timestamp, idle_timestamp } = wirePresence(presence, user);
  return `"${user.userId}":{"active_timestamp":${active_timestamp},"idle_timestamp":${idle_timestamp}}`;
}

/** An entry of `presences` as JSON text, by client program; `aggregated` stands for all of them. */
export function legacyEntry(presence: Presence, user: User): string {
  const website = JSON.stringify(legacyPresence(presence));
  return fieldText(apiEmail(user), `{"aggregated":${website},"website":${website}}`);
}
