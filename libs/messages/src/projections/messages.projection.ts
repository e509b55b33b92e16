import type { Recorded } from '#event-store';
import { messageIdOf } from '#event-store';
import { idsIn } from '#kernel';
import type { Projection } from '#read-store';
import type {
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
import { traitsOf } from './content-traits.js';
import {
  EVERYONE,
  messagesCollection,
  type EditEntry,
  type MessageDocument,
  type ReactionEntry,
  type Trait,
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
    switch (fact.type) {
      case 'message.sent.v1':
        return sent(fact.data);
      case 'message.deleted.v1':
      case 'messages.deleted.v1':
        return undefined;
      case 'messages.moved.v1':
        // A message of the topic may have been deleted while the move was decided.
        return doc === undefined ? undefined : moved(doc, fact.data, event, key as number);
      case 'message.edited.v1':
        return edited(existing(doc, event), fact.data, event);
      case 'reaction.added.v1':
        return reacted(existing(doc, event), fact.data);
      case 'reaction.removed.v1':
        return unreacted(existing(doc, event), fact.data);
      case 'submessage.added.v1':
        return extended(existing(doc, event), fact.data);
    }
  },
};

function existing(doc: MessageDocument | undefined, event: Recorded): MessageDocument {
  if (doc === undefined) throw new Error(`There is no message for ${event.type} at position ${event.position}.`);
  return doc;
}

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
}: MessageSent['data'] | MessageEdited['data']): Content {
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

function edited(doc: MessageDocument, data: MessageEdited['data'], event: Recorded): MessageDocument {
  const { rendered: _r, mentions: _m, singledOut: _s, channelWildcard: _c, alerted: _a, has, ...others } = doc;
  const { topicWildcard: _t, topicParticipants: _p, ...kept } = others;
  const entry: EditEntry = {
    by: data.by,
    at: data.at,
    prevContent: data.prevContent,
    ...(data.prevRendered === undefined ? {} : { prevRendered: data.prevRendered }),
    revision: event.revision,
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
    edits: withMove(doc.edits ?? [], entry, id === data.targetId ? event.revision : undefined),
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

/** An edit and a move that one request asked for are one entry: they stand next to each other in the message's stream. */
function withMove(edits: readonly EditEntry[], move: EditEntry, revision: number | undefined): EditEntry[] {
  const [edit, ...older] = edits;
  const together =
    edit?.revision !== undefined &&
    edit.revision + 1 === revision &&
    edit.by === move.by &&
    edit.at === move.at &&
    edit.prevContent !== undefined;
  return together ? [{ ...edit, ...move }, ...older] : [move, ...edits];
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
