import type { Recorded } from '#event-store';
import { messageIdOf } from '#event-store';
import { idsIn } from '#kernel';
import type { Projection } from '#read-store';
import type {
  ContentEdit,
  MessageDeleted,
  MessageEdited,
  MessagesDeleted,
  MessageSent,
  MessagesMoved,
  ReactionAdded,
  ReactionRemoved,
  SubmessageAdded,
} from '../messages.events.js';
import { channelConversation, conversationOf, parseConversation, topicKeyOf } from '../place.js';
import { isResolution } from '../topic.js';
import { type Trait, traitsOf } from './content-traits.js';
import {
  EVERYONE,
  messagesCollection,
  type EditEntry,
  type MessageDocument,
  type ReactionEntry,
} from './message.document.js';

type Handled =
  | MessageSent
  | MessageEdited
  | MessagesMoved
  | MessageDeleted
  | MessagesDeleted
  | ReactionAdded
  | ReactionRemoved
  | SubmessageAdded;

const handles = new Set<Handled['type']>([
  'message.sent.v1',
  'message.edited.v1',
  'messages.moved.v1',
  'message.deleted.v1',
  'messages.deleted.v1',
  'reaction.added.v1',
  'reaction.removed.v1',
  'submessage.added.v1',
]);

/** Every message as it stands now. */
export const messagesProjection: Projection<MessageDocument> = {
  collection: messagesCollection,
  handles,

  keys(event) {
    const fact = event as unknown as Handled;
    switch (fact.type) {
      case 'message.sent.v1':
        return [{ key: messageIdOf(event.revision), fresh: true }];
      case 'messages.moved.v1':
      case 'messages.deleted.v1':
        return idsIn(fact.data.ids).map((key) => ({ key }));
      default:
        return [{ key: fact.data.messageId }];
    }
  },

  evolve(doc, event, key) {
    const fact = event as unknown as Handled;
    if (fact.type === 'message.sent.v1') return sent(fact.data);
    // Another message's stream may tell that this one was deleted, and so it may be gone by what was decided meanwhile.
    if (doc === undefined) return undefined;
    switch (fact.type) {
      case 'message.deleted.v1':
      case 'messages.deleted.v1':
        return undefined;
      case 'messages.moved.v1':
        return moved(asEdited(doc, fact.data, key as number), fact.data, event, key as number);
      case 'message.edited.v1':
        return edited(doc, fact.data);
      case 'reaction.added.v1':
        return reacted(doc, fact.data);
      case 'reaction.removed.v1':
        return unreacted(doc, fact.data);
      case 'submessage.added.v1':
        return extended(doc, fact.data);
    }
  },
};

function sent(data: MessageSent['data']): MessageDocument {
  return {
    conversation: conversationOf(data),
    topicKey: topicKeyOf(data.topic ?? ''),
    senderId: data.senderId,
    ...(data.channelId === undefined ? {} : { topic: data.topic ?? '' }),
    ...contentOf(data),
    client: data.client,
    ...(data.readBySender === true ? { readBySender: true as const } : {}),
    ...(data.unreadFor === undefined ? {} : { unreadFor: data.unreadFor }),
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
    ...having(traitsOf(rendered)),
  };
}

function having(traits: readonly Trait[]): Pick<MessageDocument, 'has'> {
  return traits.length === 0 ? {} : { has: traits };
}

function edited(doc: MessageDocument, data: ContentEdit & Pick<MessageEdited['data'], 'by' | 'at'>): MessageDocument {
  const { rendered: _r, mentions: _m, singledOut: _s, channelWildcard: _c, alerted: _a, has, ...others } = doc;
  const { topicWildcard: _t, topicParticipants: _p, ...kept } = others;
  const entry: EditEntry = {
    by: data.by,
    at: data.at,
    prevContent: data.prevContent,
    ...(data.prevRendered === undefined ? {} : { prevRendered: data.prevRendered }),
  };
  const content = contentOf(data);
  const reaction = has?.filter((trait) => trait === 'reaction') ?? [];
  return {
    ...kept,
    ...content,
    ...having([...(content.has ?? []), ...reaction]),
    edits: [entry, ...(doc.edits ?? [])],
    lastEditAt: data.at,
  };
}

/** With what the same request made of its content. */
function asEdited(
  doc: MessageDocument,
  { targetId, edit, by, at }: MessagesMoved['data'],
  id: number,
): MessageDocument {
  return edit === undefined || id !== targetId ? doc : edited(doc, { ...edit, by, at });
}

function moved(doc: MessageDocument, data: MessagesMoved['data'], event: Recorded, id: number): MessageDocument {
  const place = parseConversation(doc.conversation);
  if (!('channelId' in place)) throw new Error(`The direct message ${id} cannot move, at position ${event.position}.`);
  const { from, to, by, at } = data;
  const prevTopic = doc.topic ?? '';
  // Where the topic stays, so does each message's own spelling of it.
  const topic = from.topic === to.topic ? prevTopic : to.topic;
  const changesChannel = place.channelId !== to.channelId;
  const changesTopic = prevTopic !== topic;
  if (!changesChannel && !changesTopic) return doc;
  const entry: EditEntry = {
    by,
    at,
    ...(changesTopic ? { prevTopic, topic } : {}),
    ...(changesChannel ? { prevChannelId: place.channelId, channelId: to.channelId } : {}),
  };
  return {
    ...doc,
    conversation: channelConversation(to.channelId),
    topicKey: topicKeyOf(topic),
    topic,
    edits: withMove(
      doc.edits ?? [],
      entry,
      id === data.targetId && (data.edit !== undefined || data.withEdit === true),
    ),
    ...(!changesChannel && isResolution(prevTopic, topic) ? {} : { lastMovedAt: at }),
    ...(changesChannel
      ? {
          sentTo: doc.sentTo ?? place.channelId,
          movedInto: [to.channelId] as const,
          arrivals: [...(doc.arrivals ?? []), { channelId: to.channelId, position: event.position }],
        }
      : {}),
  };
}

/** An edit and a move that one request asked for are one entry. */
function withMove(edits: readonly EditEntry[], move: EditEntry, withEdit: boolean): EditEntry[] {
  const [edit, ...older] = edits;
  return edit !== undefined && withEdit ? [{ ...edit, ...move }, ...older] : [move, ...edits];
}

function reacted(doc: MessageDocument, data: ReactionAdded['data']): MessageDocument {
  if ((doc.reactions ?? []).some((reaction) => isSame(reaction, data))) return doc;
  const { emojiName, emojiCode, reactionType, userId } = data;
  const has = doc.has?.includes('reaction') === true ? doc.has : [...(doc.has ?? []), 'reaction' as const];
  return { ...doc, has, reactions: [...(doc.reactions ?? []), { emojiName, emojiCode, reactionType, userId }] };
}

function unreacted(doc: MessageDocument, data: ReactionRemoved['data']): MessageDocument {
  const { reactions = [], has = [], ...kept } = doc;
  const left = reactions.filter((reaction) => !isSame(reaction, data));
  if (left.length > 0) return { ...doc, reactions: left };
  return { ...kept, ...having(has.filter((trait) => trait !== 'reaction')) };
}

function extended(doc: MessageDocument, { submessageId, senderId, content }: SubmessageAdded['data']): MessageDocument {
  const submessages = doc.submessages ?? [];
  if (submessages.some(({ id }) => id === submessageId)) return doc;
  return { ...doc, submessages: [...submessages, { id: submessageId, senderId, content }] };
}

function isSame(a: ReactionEntry, b: Pick<ReactionEntry, 'emojiCode' | 'reactionType' | 'userId'>): boolean {
  return a.userId === b.userId && a.reactionType === b.reactionType && a.emojiCode === b.emojiCode;
}
