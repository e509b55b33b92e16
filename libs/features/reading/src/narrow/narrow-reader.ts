import { Injectable } from '@nestjs/common';
import {
  channelConversation,
  DIRECT,
  directConversation,
  IN_CHANNELS,
  located,
  mayReadMessage,
  MessagesReader,
  namedTopic,
  parseConversation,
  senderWord,
  topicKeyOf,
} from '#messages';
import { Directory } from '#people';
import { hasSharedHistory, mayKnowChannel, mayReadChannel } from '#channels/model';
import { ROLE, type User } from '#users/model';
import { where, type Filter } from '#read-store';
import { ConversationsReader, CONVERSATIONS_MAX, type DirectConversation } from '../topics/conversations.reader.js';
import { isMentioned } from '../flags/message-flags.js';
import { Narrow } from './narrow.js';
import { channelOf, messageIdOf, userOf, usersOf } from './operands.js';
import { badNarrow, type NarrowOperand, type NarrowTerm, unknownOperand } from './narrow-terms.js';
import { PropertyTerms } from './property-terms.js';

/**
 * Newest messages searched for a quoted phrase of stop words only, which the index cannot find
 * (docs/adr/0011-search.md).
 */
const PHRASE_SEARCHED_MAX = 20_000;

/** The viewer's direct conversations, fetched once for all terms. */
type Directs = () => Promise<readonly DirectConversation[]>;

/** Resolves the terms of a narrow for a viewer (endpoints.md §3, "Narrow terms"). */
@Injectable()
export class NarrowReader {
  constructor(
    private readonly directory: Directory,
    private readonly messages: MessagesReader,
    private readonly conversations: ConversationsReader,
    private readonly properties: PropertyTerms,
  ) {}

  /** @throws Refusal BAD_NARROW */
  async read(viewer: User, asked: readonly NarrowTerm[]): Promise<Narrow> {
    const narrow = new Narrow();
    const terms = distinct(await this.#followed(viewer, asked));
    let found: Promise<readonly DirectConversation[]> | undefined;
    const directs: Directs = () => (found ??= this.conversations.directOf(viewer.userId));
    for (const negated of [false, true]) {
      const searches = terms.filter((term) => term.operator === 'search' && term.negated === negated);
      // Each negated search is a separate condition; the others are combined (endpoints.md §3).
      const texts = searches.map(({ operand }) => operand);
      if (!negated) this.properties.search(narrow, texts, false);
      else for (const text of texts) this.properties.search(narrow, [text], true);
    }
    if (narrow.search?.words.size === 0) narrow.filters.push(await this.#newest());
    for (const term of terms) await this.#apply(narrow, viewer, term, directs);
    // All but `is:resolved` ask for what is kept for the viewer, which messages of the shared history do not have.
    const asksOfFlags = terms.some(({ operator, operand }) => operator === 'is' && operand !== 'resolved');
    if (asksOfFlags) narrow.reachesHistory = false;
    return narrow;
  }

  /** Limits the messages that are examined for phrases of which the index knows no word. */
  async #newest(): Promise<Filter> {
    return where.range('$key', { gt: (await this.messages.newestId()) - PHRASE_SEARCHED_MAX });
  }

  /** Replaces `with` by the conversation that its message is in now. */
  async #followed(viewer: User, terms: readonly NarrowTerm[]): Promise<readonly NarrowTerm[]> {
    const withs = terms.filter(({ operator }) => operator === 'with');
    const [term] = withs;
    if (term === undefined) return terms;
    if (withs.length > 1) throw badNarrow('with may be used once');
    const messageId = messageIdOf(term.operand);
    const doc = await this.messages.get(messageId);
    const others = terms.filter(({ operator }) => operator !== 'with');
    if (doc === undefined || !mayReadMessage(this.directory, viewer, located(messageId, doc))) {
      const named = (operator: string): boolean =>
        others.some((other) => other.operator === operator && !other.negated);
      if (named('dm') || (named('channel') && named('topic'))) return others;
      throw badNarrow('unknown message in with');
    }
    const place = parseConversation(doc.conversation);
    const conversation: NarrowTerm[] =
      'channelId' in place
        ? [
            { operator: 'channel', operand: place.channelId, negated: false },
            { operator: 'topic', operand: doc.topic ?? '', negated: false },
          ]
        : [{ operator: 'dm', operand: [...place.participants], negated: false }];
    return [...conversation, ...others.filter(({ operator }) => !['channel', 'topic', 'dm'].includes(operator))];
  }

  async #apply(
    narrow: Narrow,
    viewer: User,
    { operator, operand, negated }: NarrowTerm,
    directs: Directs,
  ): Promise<void> {
    switch (operator) {
      case 'channel':
        this.#channel(narrow, viewer, operand, negated);
        return;
      case 'channels':
        this.#channels(narrow, viewer, operand, negated);
        return;
      case 'topic':
        this.#topic(narrow, operand, negated);
        return;
      case 'dm':
        this.#dm(narrow, viewer, operand, negated);
        return;
      case 'dm-including':
        this.#dmIncluding(narrow, viewer, await directs(), operand, negated, 1);
        return;
      case 'group-pm-with':
        this.#dmIncluding(narrow, viewer, await directs(), operand, negated, 3);
        return;
      case 'sender': {
        const { userId } = userOf(this.directory, viewer, operand);
        const isSearch = narrow.search !== undefined && !negated;
        const filter = isSearch ? where.contains('words', senderWord(userId)) : where.eq('senderId', userId);
        narrow.directPlace(negated, ({ doc }) => doc.senderId === userId, filter);
        return;
      }
      case 'mentions': {
        const { userId } = userOf(this.directory, viewer, operand);
        narrow.direct(negated, ({ doc }) => isMentioned(doc, userId), where.contains('singledOut', userId));
        return;
      }
      case 'id': {
        const messageId = messageIdOf(operand);
        narrow.require(negated, ({ id }) => id === messageId, where.eq('$key', messageId));
        if (!negated) narrow.limitTo([messageId]);
        return;
      }
      case 'is':
        return this.properties.is(narrow, viewer, operand, negated);
      case 'in':
        this.properties.in(narrow, viewer, operand);
        return;
      case 'has':
        this.properties.has(narrow, operand, negated);
        return;
      case 'near':
        messageIdOf(operand);
        return;
      case 'search':
      case 'with':
        return; // Resolved together.
    }
  }

  #channel(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): void {
    const channel = channelOf(this.directory, operand);
    if (channel === undefined || !mayKnowChannel(this.directory, viewer, channel)) throw badNarrow('unknown channel');
    const conversation = channelConversation(channel.channelId);
    narrow.requirePlace(
      negated,
      ({ doc }) => doc.conversation === conversation,
      where.eq('conversation', conversation),
    );
    if (negated) return;
    narrow.channelId = channel.channelId;
    narrow.isProtected ||= !hasSharedHistory(channel);
    narrow.reachesHistory ||= mayReadChannel(this.directory, viewer, channel);
  }

  #channels(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): void {
    if (operand !== 'public' && operand !== 'web-public') throw unknownOperand('channels', operand);
    const wanted = [...this.directory.channels()].filter((channel) =>
      operand === 'public' ? !channel.inviteOnly : channel.isWebPublic,
    );
    const conversations = new Set(wanted.map(({ channelId }) => channelConversation(channelId)));
    const filter = where.in('conversation', [...conversations]);
    narrow.requirePlace(negated, ({ doc }) => conversations.has(doc.conversation), filter);
    if (!negated) narrow.reachesHistory ||= operand === 'web-public' || viewer.role < ROLE.guest;
  }

  #topic(narrow: Narrow, operand: NarrowOperand, negated: boolean): void {
    if (typeof operand !== 'string') throw badNarrow('topic needs a name');
    const key = topicKeyOf(namedTopic(operand));
    const filter = where.eq('topicKey', key);
    // Direct messages have the empty topic's key, and no topic.
    narrow.requirePlace(
      negated,
      ({ doc }) => doc.topic !== undefined && doc.topicKey === key,
      key === '' ? where.and(filter, IN_CHANNELS) : filter,
    );
  }

  #dm(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): void {
    const others = usersOf(this.directory, viewer, operand).map(({ userId }) => userId);
    // An empty list is not a conversation: notes to oneself name oneself.
    const participants = others.length === 0 ? [] : [...new Set([...others, viewer.userId])].sort((a, b) => a - b);
    const conversation = directConversation(participants);
    narrow.directPlace(negated, ({ doc }) => doc.conversation === conversation, where.eq('conversation', conversation));
    if (!negated) narrow.isDirect = true;
  }

  #dmIncluding(
    narrow: Narrow,
    viewer: User,
    direct: readonly DirectConversation[],
    operand: NarrowOperand,
    negated: boolean,
    participantsMin: number,
  ): void {
    const wanted = usersOf(this.directory, viewer, operand).map(({ userId }) => userId);
    const includes = (participants: readonly number[]): boolean =>
      participants.length >= participantsMin && wanted.every((userId) => participants.includes(userId));
    narrow.requirePlace(negated, ({ doc }) => {
      const place = parseConversation(doc.conversation);
      return 'participants' in place && includes(place.participants);
    });
    if (negated) return;
    narrow.isDirect = true;
    const matching = direct.filter(({ participants }) => includes(participants));
    // Of very many conversations, only the newest are known here.
    narrow.filters.push(
      direct.length < CONVERSATIONS_MAX
        ? where.in(
            'conversation',
            matching.map(({ conversation }) => conversation),
          )
        : DIRECT,
    );
    narrow.isDirected = direct.length < CONVERSATIONS_MAX;
  }
}

/** Removes repeated terms, which mean no more but may cost a search each. */
function distinct(terms: readonly NarrowTerm[]): readonly NarrowTerm[] {
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
}
