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
  /** Prefix of the streams of all messages. */
  allMessageChanges: `${prefix}message-`,
  /** Private settings, mutes, topic policies. */
  user: (userId: number): string => `${prefix}user-${userId}`,
  /** A user's flags, appended without an expected revision. */
  flags: (userId: number): string => `${prefix}flags-${userId}`,
  /** Prefix of the streams of all users' flags. */
  allFlags: `${prefix}flags-`,
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
  /**
   * Whom a message, or the end of one, is told to.
   * @param noticeId letters, digits and dashes
   */
  notice: (noticeId: string): string => `${prefix}notice-${noticeId}`,
  /**
   * Who missed messages, for their mails.
   * @param thousand of message IDs
   */
  missedMessages: (thousand: number): string => `${prefix}missed-messages-${thousand}`,
  /** Mails about messages that a user missed, by the time at which they are due. */
  missedMail: (userId: number, dueAt: number): string => `${prefix}missed-mail-${userId}-${dueAt}`,
  /** Devices on which a user is notified. */
  devices: (userId: number): string => `${prefix}devices-${userId}`,
  /** A user's account at Zoom. */
  zoomAccount: (userId: number): string => `${prefix}zoom-${userId}`,
  /** Progress of one export. */
  exportRun: (exportId: number): string => `${prefix}export-${exportId}`,
  /** Where requests come from. Events name it by its revision plus one. */
  visits: `${prefix}visits`,
  /** Who uses credentials, files and archives; appended without an expected revision. */
  uses: `${prefix}uses`,
  /** Only uploads. A file's ID is its event's revision plus one. */
  files: `${prefix}files`,
  /** What becomes of a file. */
  file: (fileId: number): string => `${prefix}file-${fileId}`,
  /** What a bot keeps on the server. */
  botStorage: (userId: number): string => `${prefix}bot-storage-${userId}`,
  /**
   * A call of the service of an outgoing webhook bot.
   * @param callId digits and a dash
   */
  webhook: (callId: string): string => `${prefix}webhook-${callId}`,
  /** Calls of auditors; appended without an expected revision. */
  audit: `${prefix}audit`,
  /** Requests of auditors for the approval of others, and what became of them. */
  auditRequests: `${prefix}audit-requests`,
  /** Repairs of the log in a file; appended without an expected revision. */
  repairs: `${prefix}repairs`,
  /** Drafts, snippets, reminders, scheduled messages. */
  plans: (userId: number): string => `${prefix}plans-${userId}`,
} as const;

/** The message ID that a revision of the `messages` stream stands for. */
export function messageIdOf(revision: number): number {
  return revision + 1;
}
