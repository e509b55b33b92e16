import { Injectable } from '@nestjs/common';
import {
  channelConversation,
  DIRECT,
  EVERYONE,
  inTopic,
  isResolved,
  messageWords,
  parseConversation,
  topicKeyOf,
  type Trait,
} from '#messages';
import { Directory } from '#people';
import type { User } from '#users/model';
import { isTopicMuted, TOPIC_POLICY, type TopicPreference, preferencesPart } from '#preferences/model';
import { where, type Filter } from '#read-store';
import { SearchQuery } from '../search/search-query.js';
import { FlagsReader } from '../flags/flags.reader.js';
import { isAlerted, isMentioned, isOwn, isRead, isWildcard } from '../flags/message-flags.js';
import { UnreadReader } from '../unread/unread.reader.js';
import type { Narrow, Placed } from './narrow.js';
import { badNarrow, type NarrowOperand, unknownOperand } from './narrow-terms.js';

/** Resolved topics begin with a check mark and a blank; `!` is the next character after the blank. */
const RESOLVED = where.range('topicKey', { gte: '✔ ', lt: '✔!' });
const TRAITS: ReadonlySet<string> = new Set<Trait>(['link', 'image', 'attachment', 'reaction']);
/** Each word is a separate search in the index. */
const SEARCHED_WORDS_MAX = 50;

/** Terms about properties of a message: `is`, `in`, `has` and `search` (endpoints.md §3). */
@Injectable()
export class PropertyTerms {
  constructor(
    private readonly directory: Directory,
    private readonly flags: FlagsReader,
    private readonly unread: UnreadReader,
  ) {}

  /** @throws Refusal BAD_NARROW */
  async is(narrow: Narrow, viewer: User, operand: NarrowOperand, negated: boolean): Promise<void> {
    switch (operand) {
      case 'dm':
      case 'private':
        narrow.requirePlace(negated, ({ doc }) => doc.topic === undefined, DIRECT);
        if (!negated) narrow.isDirect = true;
        return;
      case 'starred':
        narrow.require(negated, ({ personal }) => personal.starred);
        if (!negated) narrow.limitTo(await this.flags.all(viewer.userId, 'starred'));
        return;
      case 'unread':
        narrow.require(negated, (message) => isOwn(message) && !isRead(message.doc, message));
        if (negated) return;
        narrow.unread = (await this.unread.look(viewer)).unread;
        narrow.limitTo(narrow.unread.ids());
        return;
      case 'mentioned': {
        const { userId } = viewer;
        const filter = where.or(where.contains('singledOut', userId), where.contains('singledOut', EVERYONE));
        narrow.require(
          negated,
          ({ doc, received }) => received && (isMentioned(doc, userId) || isWildcard(doc, userId)),
        );
        if (negated) return;
        narrow.filters.push(filter);
        narrow.isDirected = true;
        return;
      }
      case 'alerted':
        narrow.require(negated, ({ doc, received, userId }) => received && isAlerted(doc, userId));
        if (negated) return;
        narrow.filters.push(where.contains('alerted', viewer.userId));
        narrow.isDirected = true;
        return;
      case 'resolved':
        narrow.requirePlace(negated, ({ doc }) => doc.topic !== undefined && isResolved(doc.topic), RESOLVED);
        return;
      case 'followed':
        this.#followed(narrow, viewer, negated);
        return;
      case 'muted':
        this.#muted(narrow, viewer, negated);
        return;
      default:
        throw unknownOperand('is', operand);
    }
  }

  /** @throws Refusal BAD_NARROW */
  in(narrow: Narrow, viewer: User, operand: NarrowOperand): void {
    if (operand === 'home') this.#muted(narrow, viewer, true);
    else if (operand !== 'all') throw unknownOperand('in', operand);
  }

  /** @throws Refusal BAD_NARROW */
  has(narrow: Narrow, operand: NarrowOperand, negated: boolean): void {
    const name = typeof operand === 'string' ? operand : '';
    if (!TRAITS.has(name)) throw unknownOperand('has', operand);
    narrow.direct(negated, ({ doc }) => doc.has?.includes(name as Trait) === true, where.contains('has', name));
  }

  /**
   * @param texts operands of all terms that are, or are not, negated
   * @throws Refusal BAD_NARROW
   */
  search(narrow: Narrow, texts: readonly NarrowOperand[], negated: boolean): void {
    if (texts.length === 0) return;
    const written = texts.map((text) => (typeof text === 'string' ? text.trim() : ''));
    if (written.includes('')) throw badNarrow('search needs words');
    const query = new SearchQuery(written.join(' '));
    if (query.words.size > SEARCHED_WORDS_MAX) throw badNarrow(`too many words (limit: ${SEARCHED_WORDS_MAX})`);
    narrow.require(negated, ({ doc }) =>
      query.matches({ words: () => messageWords(doc), content: doc.content, topic: doc.topic ?? '' }),
    );
    if (negated) return;
    narrow.search = query;
    for (const word of query.words) narrow.filters.push(where.contains('words', word));
    // A search for stop words only finds nothing.
    if (query.isEmpty) narrow.limitTo([]);
    narrow.isDirected = true;
  }

  #followed(narrow: Narrow, viewer: User, negated: boolean): void {
    const isFollowed = ({ doc }: Placed): boolean => {
      const place = parseConversation(doc.conversation);
      if (!('channelId' in place)) return false;
      const policy = this.directory.of(preferencesPart).topicPolicy(viewer.userId, place.channelId, doc.topic ?? '');
      return policy === TOPIC_POLICY.followed;
    };
    const followed = this.#topics(viewer).filter(({ policy }) => policy === TOPIC_POLICY.followed);
    narrow.requirePlace(negated, isFollowed);
    if (negated) return;
    narrow.filters.push(where.or(...followed.map(topicFilter)));
    narrow.isDirected = true;
    narrow.namesTopics = true;
  }

  /** Topics that the viewer muted, and those of muted channels that they neither unmuted nor follow. */
  #muted(narrow: Narrow, viewer: User, negated: boolean): void {
    const { userId } = viewer;
    narrow.requirePlace(negated, ({ doc }) => {
      const place = parseConversation(doc.conversation);
      return 'channelId' in place && isTopicMuted(this.directory, userId, place.channelId, doc.topic ?? '');
    });
    const topics = this.#topics(viewer);
    const channels = Array.from(this.directory.subscriptionsOf(userId)).filter(({ isMuted }) => isMuted);
    const inChannels = (channelIds: readonly number[]): Filter =>
      where.in('conversation', channelIds.map(channelConversation));
    if (negated) {
      // Channels with an unmuted topic are left to the test.
      const mixed = new Set(topics.map(({ channelId }) => channelId));
      const silent = channels.map(({ channelId }) => channelId).filter((channelId) => !mixed.has(channelId));
      if (silent.length > 0) narrow.filters.push(where.not(inChannels(silent)));
      return;
    }
    const muted = topics.filter(({ policy }) => policy === TOPIC_POLICY.muted);
    const channelIds = channels.map(({ channelId }) => channelId);
    narrow.filters.push(where.or(inChannels(channelIds), ...muted.map(topicFilter)));
    narrow.isDirected = true;
    narrow.namesTopics = true;
  }

  #topics(viewer: User): readonly TopicPreference[] {
    return [...this.directory.of(preferencesPart).of(viewer.userId).topics.values()];
  }
}

function topicFilter({ channelId, topic }: TopicPreference): Filter {
  return inTopic(channelId, topicKeyOf(topic));
}
