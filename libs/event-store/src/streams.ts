/**
 * Stream names. They begin with the organization's id, so that several organizations could share a store, and never
 * with `$`, which EventStoreDB reserves. Ids come from the server, never from a request's text.
 */
const ORGANIZATION_ID = 1;
const prefix = `${ORGANIZATION_ID}.`;

export const streams = {
  /** Prefix of every stream of this organization. */
  prefix,
  /** Users, channels, subscriptions, groups, settings: appended at an expected revision. */
  organization: `${prefix}organization`,
  /** Only sends. A message's ID is its event's revision plus one. */
  messages: `${prefix}messages`,
  /** Edits, moves started from it, reactions, deletion. */
  message: (messageId: number): string => `${prefix}message-${messageId}`,
  /** Private settings, mutes, topic policies. */
  user: (userId: number): string => `${prefix}user-${userId}`,
  /** A user's flags, appended without an expected revision. */
  flags: (userId: number): string => `${prefix}flags-${userId}`,
  /**
   * Records that a message was requested under an idempotency key of its sender.
   * @param hash hexadecimal, of user and key
   */
  keyedSend: (hash: string): string => `${prefix}send-${hash}`,
  /** Records that follow-ups of events are done; appended without an expected revision. */
  followUps: `${prefix}follow-ups`,
  /**
   * One outgoing mail.
   * @param mailId hexadecimal
   */
  mail: (mailId: string): string => `${prefix}mail-${mailId}`,
  /** Drafts, snippets, reminders, scheduled messages. */
  /** What a bot keeps on the server. */
  botStorage: (userId: number): string => `${prefix}bot-storage-${userId}`,
  plans: (userId: number): string => `${prefix}plans-${userId}`,
} as const;

/** The message ID that a revision of the `messages` stream stands for. */
export function messageIdOf(revision: number): number {
  return revision + 1;
}
