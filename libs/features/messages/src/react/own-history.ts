import type { MessageRow } from '../existing/messages.reader.js';

/** Port to the flags of users, which are the reading side's. */
export abstract class OwnHistory {
  /** Whether the message was delivered to the user, or put into their history by them. */
  abstract has(userId: number, message: MessageRow): Promise<boolean>;
}
