import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
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
import { Directory, type User } from '#organization';
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

@QueryHandler(ReadReceiptsQuery)
export class ReadReceiptsHandler implements IQueryHandler<ReadReceiptsQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly flags: FlagsReader,
  ) {}

  async execute({ viewer, messageId }: ReadReceiptsQuery): Promise<readonly number[]> {
    const doc = await this.messages.get(messageId);
    if (doc === undefined) throw invalidMessage();
    accessMessage(this.directory, viewer, located(messageId, doc));
    if (!this.directory.settings.enable_read_receipts)
      throw badRequest('Read receipts are disabled in this organization.');
    const candidates = this.#readers(messageId, doc).filter((user) => this.#isShown(viewer, user, doc));
    const lookup = await this.flags.ofMessage(
      messageId,
      candidates.map(({ userId }) => userId),
    );
    return candidates
      .map(({ userId }) => userId)
      .filter((userId) => {
        const seen = seenBy(this.directory, userId, messageId, doc, lookup(userId));
        return isOwn(seen) && isRead(doc, seen);
      })
      .sort((a, b) => a - b);
  }

  /** Users who may read it now. */
  #readers(messageId: number, doc: MessageDocument): readonly User[] {
    const place = parseConversation(doc.conversation);
    const location = located(messageId, doc);
    const users =
      'participants' in place
        ? place.participants.flatMap((userId) => this.directory.user(userId) ?? [])
        : [...this.directory.users()];
    return users.filter((user) => mayReadMessage(this.directory, user, location));
  }

  /** Excludes the sender, users who do not share receipts, and users who muted or are muted by the viewer. */
  #isShown(viewer: User, { userId, isActive }: User, { senderId }: MessageDocument): boolean {
    const preferences = this.directory.of(preferencesPart);
    if (userId === senderId) return false;
    if (!isActive) return false;
    if (!preferences.setting(userId, 'send_read_receipts')) return false;
    return !preferences.isMuting(viewer.userId, userId) && !preferences.isMuting(userId, viewer.userId);
  }
}
