import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { badRequest } from '#kernel';
import {
  accessMessage,
  invalidMessage,
  located,
  mayReadMessage,
  type MessageDocument,
  MessagesReader,
  parseConversation,
} from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';
import { FlagsReader } from '../flags/flags.reader.js';
import { isOwn, isRead, seenBy } from '../flags/message-flags.js';

/** User IDs of those who have read a message, ascending (endpoints.md §3, GET /messages/{id}/read_receipts). */
export class ReadReceiptsQuery extends Query<readonly number[]> {
  constructor(
    readonly viewer: User,
    readonly messageId: number,
  ) {
    super();
  }
}

export const readReceipts = query(
  ReadReceiptsQuery,
  { directory: Directory, messages: MessagesReader, flags: FlagsReader },
  async ({ viewer, messageId }, { directory, messages, flags }) => {
    const doc = await messages.get(messageId);
    if (doc === undefined) throw invalidMessage();
    accessMessage(directory, viewer, located(messageId, doc));
    if (!directory.settings.enable_read_receipts) throw badRequest('Read receipts are disabled in this organization.');
    const candidates = readersOf(directory, messageId, doc).filter((user) => isShown(directory, viewer, user, doc));
    const lookup = await flags.ofMessage(
      messageId,
      candidates.map(({ userId }) => userId),
    );
    return candidates
      .map(({ userId }) => userId)
      .filter((userId) => {
        const seen = seenBy(directory, userId, messageId, doc, lookup(userId));
        return isOwn(seen) && isRead(doc, seen);
      })
      .sort((a, b) => a - b);
  },
);

/** Users who may read it now. */
function readersOf(directory: Directory, messageId: number, doc: MessageDocument): readonly User[] {
  const place = parseConversation(doc.conversation);
  const location = located(messageId, doc);
  const users =
    'participants' in place
      ? place.participants.flatMap((userId) => directory.user(userId) ?? [])
      : [...directory.users()];
  return users.filter((user) => mayReadMessage(directory, user, location));
}

/** Excludes the sender, users who do not share receipts, and users who muted or are muted by the viewer. */
function isShown(
  directory: Directory,
  viewer: User,
  { userId, isActive }: User,
  { senderId }: MessageDocument,
): boolean {
  const preferences = directory.of(preferencesPart);
  if (userId === senderId) return false;
  if (!isActive) return false;
  if (!preferences.setting(userId, 'send_read_receipts')) return false;
  return !preferences.isMuting(viewer.userId, userId) && !preferences.isMuting(userId, viewer.userId);
}
