import type { RecordedEvent } from '#event-store';
import { messageIdOf } from '#event-store';
import { idsIn } from '#kernel';
import { type Key, projection } from '#read-store';
import type {
  ContentEdit,
  MessageEdited,
  MessageEvent,
  MessageSent,
  MessagesMoved,
  ReactionAdded,
  ReactionRemoved,
  SubmessageAdded,
} from '../model/messages.events.js';
import { channelConversation, conversationOf, parseConversation, topicAfterMove, topicKeyOf } from '../model/place.js';
import { isResolution } from '../model/topic.js';
import { type Trait, traitsOf } from './content-traits.js';
import {
  ARRIVALS_MAX,
  bytesOf,
  EDITS_MAX,
  EVERYONE,
  messagesCollection,
  UNMENTIONED_MAX,
  type EditEntry,
  type MessageDocument,
  type ReactionEntry,
} from './message.document.js';

type Handled = MessageSent | MessageEvent;

/** All messages in their current state. */
export const messagesProjection = projection<MessageDocument, Handled>(messagesCollection, {
  'message.sent.v1': {
    keys: ({ revision }) => [messageIdOf(revision)],
    creates: true,
    evolve: (_, { data }) => sentDocument(data),
  },
  'message.edited.v1': {
    keys: ({ data }) => [data.messageId],
    evolve: standing((doc, event) => edited(doc, event.data, event)),
  },
  'messages.moved.v1': {
    keys: ({ data }) => idsIn(data.ids),
    evolve: standing((doc, event, id) => moved(asEdited(doc, event, id), event.data, event, id)),
  },
  'message.deleted.v1': { keys: ({ data }) => [data.messageId] },
  'messages.deleted.v1': { keys: ({ data }) => idsIn(data.ids) },
  'messages.expired.v1': { keys: ({ data }) => idsIn(data.ids) },
  'reaction.added.v1': {
    keys: ({ data }) => [data.messageId],
    evolve: standing((doc, { data }) => reacted(doc, data)),
  },
  'reaction.removed.v1': {
    keys: ({ data }) => [data.messageId],
    evolve: standing((doc, { data }) => unreacted(doc, data)),
  },
  'submessage.added.v1': {
    keys: ({ data }) => [data.messageId],
    evolve: standing((doc, { data }) => extended(doc, data)),
  },
});

/** A message as it was sent. */
export function sentDocument(data: MessageSent['data']): MessageDocument {
  return sized(sent(data));
}

type Unsized = Omit<MessageDocument, 'bytes'>;

function sized(doc: Unsized): MessageDocument {
  return Object.assign(doc, { bytes: bytesOf(doc) });
}

/**
 * Changes an existing message. An event in another message's stream may have deleted it after this event was decided,
 * so a missing document is not an error.
 */
function standing<Event>(change: (doc: Unsized, event: Event, id: number) => Unsized) {
  return (doc: MessageDocument | undefined, event: Event, key: Key): MessageDocument | undefined =>
    doc === undefined ? undefined : sized(change(doc, event, Number(key)));
}

function sent(data: MessageSent['data']): Unsized {
  return {
    conversation: conversationOf(data),
    topicKey: topicKeyOf(data.topic ?? ''),
    senderId: data.senderId,
    ...(data.channelId === undefined ? {} : { topic: data.topic ?? '' }),
    ...contentOf(data),
    ...(data.widget === undefined ? {} : { widget: data.widget }),
    client: data.client,
    ...(data.readBySender === true ? { readBySender: true as const } : {}),
    ...(data.unreadFor === undefined ? {} : { unreadFor: data.unreadFor }),
    ...(data.readBy === undefined ? {} : { readBy: data.readBy }),
    at: data.at,
  };
}

type Content = Pick<
  MessageDocument,
  | 'content'
  | 'rendered'
  | 'mentions'
  | 'singledOut'
  | 'channelWildcard'
  | 'topicWildcard'
  | 'topicParticipants'
  | 'alerted'
  | 'files'
  | 'has'
>;

function contentOf({
  content,
  rendered,
  mentions,
  channelWildcard,
  topicWildcard,
  topicParticipants = [],
  alerted,
  files = [],
}: MessageSent['data'] | ContentEdit): Content {
  const reached = new Set([...(channelWildcard === true ? [EVERYONE] : []), ...(mentions ?? []), ...topicParticipants]);
  const singledOut = [...reached].sort((a, b) => a - b);
  return {
    content,
    ...(rendered === undefined ? {} : { rendered }),
    ...(mentions === undefined || mentions.length === 0 ? {} : { mentions }),
    ...(singledOut.length === 0 ? {} : { singledOut }),
    ...(channelWildcard === undefined ? {} : { channelWildcard }),
    ...(topicWildcard === undefined ? {} : { topicWildcard, topicParticipants }),
    ...(alerted === undefined ? {} : { alerted }),
    ...(files.length === 0 ? {} : { files: files.map(({ fileId }) => fileId) }),
    ...having(files.length === 0 ? traitsOf(rendered) : [...traitsOf(rendered), 'attachment']),
  };
}

function having(traits: readonly Trait[]): Pick<MessageDocument, 'has'> {
  return traits.length === 0 ? {} : { has: traits };
}

function edited(
  doc: Unsized,
  data: ContentEdit & Pick<MessageEdited['data'], 'by' | 'at'>,
  { position }: RecordedEvent,
): Unsized {
  const {
    rendered: _r,
    mentions: _m,
    unmentioned: _u,
    singledOut: _s,
    channelWildcard: _c,
    alerted: _a,
    files: _f,
    has,
    ...others
  } = doc;
  const { topicWildcard: _t, topicParticipants: _p, ...kept } = others;
  const content = contentOf(data);
  const reaction = has?.filter((trait) => trait === 'reaction') ?? [];
  return {
    ...kept,
    ...content,
    ...unmentionedOf(doc, content),
    ...having([...(content.has ?? []), ...reaction]),
    ...listed(doc, [{ by: data.by, at: data.at, position, edited: true }, ...(doc.edits ?? [])]),
    lastEditAt: data.at,
  };
}

/** Those whom the message has mentioned before, and does not any more. */
function unmentionedOf(before: Unsized, { mentions = [] }: Content): Pick<MessageDocument, 'unmentioned'> {
  const left = new Set(mentions);
  const ids = [...(before.unmentioned ?? []), ...(before.mentions ?? [])].filter((userId) => !left.has(userId));
  return ids.length === 0 ? {} : { unmentioned: ids.slice(0, UNMENTIONED_MAX) };
}

/** Applies the content change of the same request. */
function asEdited(doc: Unsized, event: RecordedEvent<MessagesMoved['data']>, id: number): Unsized {
  const { targetId, edit, by, at } = event.data;
  return edit === undefined || id !== targetId ? doc : edited(doc, { ...edit, by, at }, event);
}

/** Limits edits and moves to the newest that a document lists. */
function listed(doc: Unsized, edits: EditEntry[]): Pick<MessageDocument, 'edits' | 'firstEditPosition'> {
  if (edits.length <= EDITS_MAX) return { edits };
  const firstEditPosition = doc.firstEditPosition ?? edits.at(-1)?.position;
  return { edits: edits.slice(0, EDITS_MAX), ...(firstEditPosition === undefined ? {} : { firstEditPosition }) };
}

function moved(doc: Unsized, data: MessagesMoved['data'], event: RecordedEvent, id: number): Unsized {
  const place = parseConversation(doc.conversation);
  if (!('channelId' in place)) throw new Error(`The direct message ${id} cannot move, at position ${event.position}.`);
  const { to, by, at } = data;
  const prevTopic = doc.topic ?? '';
  const topic = topicAfterMove(prevTopic, data);
  const changesChannel = place.channelId !== to.channelId;
  const changesTopic = prevTopic !== topic;
  if (!changesChannel && !changesTopic) return doc;
  const entry: EditEntry = {
    by,
    at,
    position: event.position,
    ...(changesTopic ? { prevTopic, topic } : {}),
    ...(changesChannel ? { prevChannelId: place.channelId, channelId: to.channelId } : {}),
  };
  return {
    ...doc,
    conversation: channelConversation(to.channelId),
    topicKey: topicKeyOf(topic),
    topic,
    ...listed(
      doc,
      withMove(doc.edits ?? [], entry, id === data.targetId && (data.edit !== undefined || data.withEdit === true)),
    ),
    ...(!changesChannel && isResolution(prevTopic, topic) ? {} : { lastMovedAt: at }),
    ...(changesChannel
      ? {
          sentTo: doc.sentTo ?? place.channelId,
          movedInto: [to.channelId] as const,
          arrivals: [...(doc.arrivals ?? []), { channelId: to.channelId, position: event.position }].slice(
            -ARRIVALS_MAX,
          ),
        }
      : {}),
  };
}

/** An edit and a move of one request are one entry, at the position of the edit, by which its version is found. */
function withMove(edits: readonly EditEntry[], move: EditEntry, withEdit: boolean): EditEntry[] {
  const [edit, ...older] = edits;
  return edit !== undefined && withEdit ? [{ ...edit, ...move, position: edit.position }, ...older] : [move, ...edits];
}

function reacted(doc: Unsized, data: ReactionAdded['data']): Unsized {
  if ((doc.reactions ?? []).some((reaction) => isSame(reaction, data))) return doc;
  const { emojiName, emojiCode, reactionType, userId } = data;
  const has = doc.has?.includes('reaction') === true ? doc.has : [...(doc.has ?? []), 'reaction' as const];
  return { ...doc, has, reactions: [...(doc.reactions ?? []), { emojiName, emojiCode, reactionType, userId }] };
}

function unreacted(doc: Unsized, data: ReactionRemoved['data']): Unsized {
  const { reactions = [], has = [], ...kept } = doc;
  const left = reactions.filter((reaction) => !isSame(reaction, data));
  if (left.length > 0) return { ...doc, reactions: left };
  return { ...kept, ...having(has.filter((trait) => trait !== 'reaction')) };
}

function extended(doc: Unsized, { submessageId, senderId, content, at }: SubmessageAdded['data']): Unsized {
  const submessages = doc.submessages ?? [];
  if (submessages.some(({ id }) => id === submessageId)) return doc;
  return { ...doc, submessages: [...submessages, { id: submessageId, senderId, content, at }] };
}

function isSame(a: ReactionEntry, b: Pick<ReactionEntry, 'emojiCode' | 'reactionType' | 'userId'>): boolean {
  return a.userId === b.userId && a.reactionType === b.reactionType && a.emojiCode === b.emojiCode;
}
