import { Query } from '@nestjs/cqrs';
import { Moments } from '#audit';
import { query } from '#feature';
import { badRequest, Clock, Refusal, Slices } from '#kernel';
import { channelConversation, inTopic, MessagesReader, parseConversation, type SenderRow, wireTopic } from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { EmojiTypeSchema, ExtraEmojiType } from '#pictures/model';
import { where } from '#read-store';
import { ConversationsReader, RecentMessages, type RecentRows, topicKeyIn } from '#reading';
import { described, integer, list, named, object, optional, text, truth, type Wire } from '#wire';
import { ChangesReader } from './changes.reader.js';
import { Digest, LISTED_MAX, type Told } from './digest.js';
import { KnownMessages } from './known-messages.js';

/** Who was away for longer reads the conversations themselves. */
const AWAY_MAX_SECONDS = 7 * 24 * 3600;
/** Messages sent, and changes, of everybody. */
export const EVENTS_MAX = 50_000;
const CONVERSATIONS_MAX = 200;
/** Conversations that are looked into, the newest first. */
const GROWN_MAX = 2_000;
/** New messages of a place that are looked at together. */
const SENT_PAGE = 1_000;

const PLACE = {
  stream_id: optional(integer),
  topic: optional(text),
  user_ids: described(optional(list(integer)), 'Of a direct conversation: all who take part.'),
};

const ConversationSchema = named(
  'ConversationSince',
  object({
    ...PLACE,
    sent: described(integer, 'Messages of others that came.'),
    first_id: described(integer, 'The first of them; 0 where there is none.'),
    last_id: integer,
    sender_ids: described(list(integer), 'Who sent them, at most ten.'),
    edited_ids: described(list(integer), 'Messages that others edited, at most fifty.'),
    moved_in: integer,
    moved_out: integer,
    deleted: integer,
    resolved_by: described(optional(integer), 'Who marked the topic as resolved.'),
    unresolved_by: optional(integer),
  }),
);

export const DigestSchema = object({
  until: described(integer, 'The time of the answer; seconds since the epoch.'),
  conversations: described(list(ConversationSchema), 'At most 200, the newest messages first.'),
  more_conversations: described(integer, 'Those beyond.'),
  mentions: list(named('MentionSince', object({ message_id: integer, sender_id: integer, ...PLACE }))),
  reactions: described(
    list(
      named(
        'ReactionSince',
        object({
          message_id: integer,
          user_id: integer,
          emoji_name: text,
          emoji_code: text,
          reaction_type: EmojiTypeSchema,
          time: integer,
        }),
      ),
    ),
    "To the caller's messages, the newest fifty.",
  ),
  reaction_count: integer,
  moved_mine: described(integer, 'Messages of the caller that others moved.'),
  is_cut: described(truth, 'There were more changes than are looked at.'),
});

/** What the caller would have been told of since a time, in one answer (endpoints.md §3, GET /past/since). */
export class SinceQuery extends Query<Wire<typeof DigestSchema>> {
  constructor(
    readonly viewer: User,
    /** Seconds since the epoch. */
    readonly time: number,
    readonly allowEmptyTopicName: boolean,
  ) {
    super();
  }
}

export const since = query(
  SinceQuery,
  {
    clock: Clock,
    directory: Directory,
    log: Moments,
    messages: MessagesReader,
    conversations: ConversationsReader,
    recent: RecentMessages,
    changes: ChangesReader,
    extraEmojiType: ExtraEmojiType,
  },
  async ({ viewer, time, allowEmptyTopicName }, given) => {
    const { clock, directory, log, messages, recent, changes, extraEmojiType } = given;
    const now = clock.nowSeconds();
    if (time > now) throw badRequest('The time is in the future.');
    if (now - time > AWAY_MAX_SECONDS) throw tooLongAgo();
    const moment = { kind: 'time', seconds: time } as const;
    const [afterId, lastId] = [await log.messageIdReached(moment), await log.lastMessageId(moment)];
    let events = (await messages.newestId()) - lastId;
    if (events > EVENTS_MAX) throw tooLongAgo();
    const rows = await recent.all();
    const digest = new Digest(directory, viewer, messages, new KnownMessages(rows, messages), changes);
    // Rows of what is older may make room meanwhile.
    const { from } = rows;
    await readSent(digest, rows, { time, afterId, lastId }, messages);
    if (from > afterId + 1) await readOlder(digest, viewer, { time, afterId, lastId }, from, given);
    await digest.mentioned(afterId, time);
    for await (const page of changes.after(time)) {
      events += page.length;
      if (events > EVENTS_MAX) throw tooLongAgo();
      await digest.changed(page);
    }
    return wireOf(digest, { messages, allowEmptyTopicName, extraEmojiType, now });
  },
);

/** New messages that are in memory. */
async function readSent(digest: Digest, rows: RecentRows, away: Away, messages: MessagesReader): Promise<void> {
  const slices = new Slices();
  for (const [place, found] of rows.newerThan(away.afterId)) {
    if (!digest.hearsOf(place.conversation)) continue;
    for (let from = 0; from < found.length; from += SENT_PAGE) {
      await digest.sent(place, await sentLater(messages, found.slice(from, from + SENT_PAGE), away));
      if (slices.isOver) await slices.next();
    }
  }
}

/** New messages that are older than those in memory, of the conversations that have grown: no others are read. */
async function readOlder(
  digest: Digest,
  { userId }: User,
  away: Away,
  below: number,
  { directory, messages, conversations }: Given,
): Promise<void> {
  const subscribed = Array.from(directory.subscriptionsOf(userId)).filter(({ active }) => active);
  const channelIds = subscribed.map(({ channelId }) => channelId);
  const grown = await conversations.grownSince(userId, channelIds, away.afterId, GROWN_MAX + 1);
  if (grown.length > GROWN_MAX) digest.cut();
  const newer = where.range('$key', { gt: away.afterId, lt: below });
  const slices = new Slices();
  for (const { key, doc } of grown.slice(0, GROWN_MAX)) {
    const { channelId } = doc;
    const conversation = channelId === undefined ? String(key) : channelConversation(channelId);
    const topicKey = channelId === undefined ? '' : topicKeyIn(channelId, String(key));
    const there = channelId === undefined ? where.eq('conversation', conversation) : inTopic(channelId, topicKey);
    for await (const page of messages.scanSenders(where.and(there, newer), EVENTS_MAX)) {
      await digest.sent({ conversation, topicKey }, await sentLater(messages, page, away));
      if (slices.isOver) await slices.next();
    }
  }
}

/** Since when messages count. Where clocks of processes differ, IDs do not quite follow the times of sending. */
interface Away {
  /** Seconds since the epoch. */
  readonly time: number;
  /** Messages up to this ID were all sent by then. */
  readonly afterId: number;
  /** Messages beyond this ID were all sent later. */
  readonly lastId: number;
}

/** Of messages beyond `afterId`, those that were sent later than the time. */
async function sentLater(
  messages: MessagesReader,
  rows: readonly SenderRow[],
  { time, lastId }: Away,
): Promise<readonly SenderRow[]> {
  const unclear = rows.filter(({ id }) => id <= lastId).map(({ id }) => id);
  if (unclear.length === 0) return rows;
  const docs = await messages.getManyLean(unclear);
  return rows.filter(({ id }) => id > lastId || (docs.get(id)?.at ?? 0) > time);
}

interface Given {
  readonly directory: Directory;
  readonly messages: MessagesReader;
  readonly conversations: ConversationsReader;
}

function tooLongAgo(): Refusal {
  return new Refusal('TOO_LONG_AGO', 'That is too long ago, or too much has happened since.');
}

interface Wiring {
  readonly messages: MessagesReader;
  readonly allowEmptyTopicName: boolean;
  readonly extraEmojiType: ExtraEmojiType;
  readonly now: number;
}

async function wireOf(digest: Digest, wiring: Wiring): Promise<Wire<typeof DigestSchema>> {
  const { reactions } = digest;
  const { messages, allowEmptyTopicName, extraEmojiType, now } = wiring;
  const all = [...digest.conversations.values()].sort((a, b) => b.lastId - a.lastId);
  const shown = all.slice(0, CONVERSATIONS_MAX);
  const ids = [...shown.map(({ lastId }) => lastId), ...digest.mentions.map(({ id }) => id)].filter((id) => id > 0);
  const docs = await messages.getManyLean([...new Set(ids)]);
  const placeOf = ({ conversation }: Pick<Told, 'conversation'>, topic: string) => {
    const place = parseConversation(conversation);
    if ('participants' in place) return { user_ids: [...place.participants] };
    return { stream_id: place.channelId, topic: wireTopic(topic, allowEmptyTopicName) };
  };
  return {
    until: now,
    conversations: shown.map((told) => ({
      ...placeOf(told, docs.get(told.lastId)?.topic ?? told.topic ?? told.topicKey),
      sent: told.sent,
      first_id: told.firstId,
      last_id: told.lastId,
      sender_ids: [...told.senderIds],
      edited_ids: [...told.edited].slice(-LISTED_MAX),
      moved_in: told.movedIn,
      moved_out: told.movedOut,
      deleted: told.deleted,
      ...(told.resolvedBy === undefined ? {} : { resolved_by: told.resolvedBy }),
      ...(told.unresolvedBy === undefined ? {} : { unresolved_by: told.unresolvedBy }),
    })),
    more_conversations: all.length - shown.length,
    mentions: digest.mentions.map((one) => ({
      message_id: one.id,
      sender_id: one.senderId,
      ...placeOf(one, docs.get(one.id)?.topic ?? one.topicKey),
    })),
    reactions: reactions.slice(-LISTED_MAX).map(({ messageId, by = 0, emoji, at }) => ({
      message_id: messageId,
      user_id: by,
      emoji_name: emoji?.emojiName ?? '',
      emoji_code: emoji?.emojiCode ?? '',
      reaction_type: extraEmojiType.wire(emoji?.reactionType ?? 'unicode_emoji'),
      time: at,
    })),
    reaction_count: reactions.length,
    moved_mine: digest.movedMine,
    is_cut: digest.isCut,
  };
}
