import type { Ranges } from '#kernel';
import type { CollectionSchema } from '#read-store';

/**
 * Where in the log an event about a subject stands. The key is the subject and the position, so the rows of a subject are a range of
 * keys, in the order of the log.
 */
export interface PlaceRow {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  /** Seconds since the epoch. */
  readonly at: number;
  /** Messages of the part that the event names. */
  readonly ids?: Ranges;
  /** The message that left a place … */
  readonly messageId?: number;
  /** … and which one. */
  readonly from?: { readonly channelId: number; readonly topic: string };
}

export const auditPlacesCollection = {
  name: 'audit_log_subjects',
  key: 'text',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/**
 * Messages in one part. Who reads a message looks through the rows of its part: with larger ones, a mark-as-read of many messages
 * writes fewer rows.
 */
export const PART_SIZE = 256;
/** An event that names messages of more parts than this has rows for wide parts instead: a row for each would hold up everybody. */
export const PARTS_MAX = 32;
/** Messages in a wide part: an event has some twenty thousand messages at most, so a dozen of rows for a million of IDs. */
export const WIDE_PART_SIZE = 65_536;

/** Subjects, as keys begin with them. None has an `@`. */
export const subjects = {
  /** Changes that name several messages: moves, deletions, flags, notices. */
  messages: (part: number): string => `messages:${part}`,
  /** As `messages`, by events that name messages of many parts. */
  manyMessages: (widePart: number): string => `many-messages:${widePart}`,
  /** Moves and deletions of one message. */
  leaving: (messageId: number): string => `leaving:${messageId}`,
  /** Messages that left a topic. */
  left: (channelId: number, topicKey: string): string => `left:${channelId}:${encodeURIComponent(topicKey)}`,
  channel: (channelId: number): string => `channel:${channelId}`,
  user: (userId: number): string => `user:${userId}`,
  group: (groupId: number): string => `group:${groupId}`,
  setting: (name: string): string => `setting:${name}`,
  /** All settings and lists of the organization. */
  settings: 'settings',
  /** Who may what: of the organization, of channels, of groups, and by roles. */
  permissions: 'permissions',
  /** All events of groups. */
  groups: 'groups',
  /** All events of subscriptions. */
  subscriptions: 'subscriptions',
} as const;

/** As long as the largest safe integer, so that texts sort as numbers. */
const POSITION_DIGITS = 16;

export function keyOf(subject: string, position: number, detail = ''): string {
  return `${subject}@${String(position).padStart(POSITION_DIGITS, '0')}${detail}`;
}

/** The subject of a key. */
export function subjectOf(key: string): string {
  return key.slice(0, key.indexOf('@'));
}

export function partOf(messageId: number, size = PART_SIZE): number {
  return Math.floor(messageId / size);
}
