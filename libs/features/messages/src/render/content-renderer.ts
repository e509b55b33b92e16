import { Injectable } from '@nestjs/common';
import { badRequest, nextSlice } from '#kernel';
import { awaitsFormulas, loadFormulas, type RenderWorld } from '#markdown';
import { Directory } from '#people';
import { mayReadChannel } from '#channels/model';
import { Site } from '#realm/model';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';
import type { MessageContent } from '../model/message-content.js';
import { located, mayReadMessage } from '../model/message.access.js';
import type { Place } from '../model/messages.events.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader } from '../existing/messages.reader.js';
import { addressedFiles, ReferencedFiles } from './referenced-files.js';
import {
  assertGroupsMentionable,
  assertGroupsReachable,
  type FoundContent,
  type LookedUp,
  renderContent,
  renderWorldOf,
  topicLinkKey,
  withMentioned,
} from './render-world.js';
import { TopicParticipants } from './topic-participants.js';
import { normalizeTopic } from '../model/topic.js';

const TOPIC_LINK = /#\*\*([^*\n>]{1,200})>([^*\n]{0,200})\*\*/g;
/** Each costs a read of the store; further links open at the topic's beginning. */
const TOPIC_LINKS_MAX = 20;
/** Groups that a message may mention aloud; each may have every member of the organization. */
const GROUP_MENTIONS_MAX = 50;

/** Content as recorded, and the users mentioned by name. */
export interface RenderedContent {
  readonly content: MessageContent;
  readonly mentioned: readonly number[];
}

/** Renders content with data from the read store, and finds the users whom it concerns at its place. */
@Injectable()
export class ContentRenderer {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly reader: MessagesReader,
    private readonly participants: TopicParticipants,
    private readonly files: ReferencedFiles,
  ) {}

  /** @throws Refusal BAD_REQUEST for groups that the author may not mention, and for too many of them */
  async render(author: User, content: string, place: Place): Promise<RenderedContent> {
    const found = await this.#find(author, content, place);
    assertGroupsMentionable(this.directory, author, found.mentions.groups);
    return this.#placed(author, found, place);
  }

  /**
   * Renders content that is not sent: nobody is looked for whom it would concern, and every group is shown as mentioned,
   * as clients expect of a preview while a message is being written. Sending it may be refused.
   * @throws Refusal BAD_REQUEST for too many groups
   */
  async preview(author: User, content: string): Promise<MessageContent> {
    const found = await this.#find(author, content, { to: [author.userId] });
    return found.content;
  }

  async #find(author: User, content: string, place: Place): Promise<FoundContent> {
    if (awaitsFormulas(content)) return this.#withFirstFormula(author, content, place);
    const isLinked = content.includes('#**') || content.includes('/user_uploads/');
    return isLinked ? this.#withLinks(author, content, place) : this.#render(author, content);
  }

  /** Yields to other requests between loading KaTeX and its first use, which both take long. */
  async #withFirstFormula(author: User, content: string, place: Place): Promise<FoundContent> {
    const beganMs = performance.now();
    loadFormulas();
    await nextSlice(performance.now() - beganMs);
    return this.#find(author, content, place);
  }

  async #withLinks(author: User, content: string, place: Place): Promise<FoundContent> {
    const pathIds = addressedFiles(content);
    const latestIds = await this.#latestIds(author, content);
    const files = pathIds.length === 0 ? undefined : await this.files.readable(author, pathIds);
    return this.#render(author, content, { place, latestIds, files });
  }

  #render(author: User, content: string, found: LookedUp = {}): FoundContent {
    const { directory, site } = this;
    const world = (): RenderWorld => renderWorldOf(directory, site.url, author, found);
    const rendered = renderContent(directory, author, content, world, found);
    if (rendered.mentions.groups.length > GROUP_MENTIONS_MAX && author.systemBot === undefined)
      throw badRequest(`A message can mention at most ${GROUP_MENTIONS_MAX} user groups.`);
    return rendered;
  }

  async #placed(author: User, found: FoundContent, place: Place): Promise<RenderedContent> {
    const { topicWildcard, users: mentioned, groups } = found.mentions;
    // Of direct messages, participants alone are told.
    if ('channelId' in place) assertGroupsReachable(this.directory, author, groups);
    const content = withMentioned(this.directory, found);
    const alerted = this.#alerted(author, found.text, content, place);
    const here = alerted.length === 0 ? content : { ...content, alerted };
    // Direct messages have no topic with participants.
    if (!topicWildcard || !('channelId' in place)) return { content: here, mentioned };
    const topicParticipants = await this.participants.of(place.channelId, place.topic, author.userId);
    return { content: { ...here, topicWildcard: true, topicParticipants }, mentioned };
  }

  /** Recipients with an alert word in it, ascending. */
  #alerted(author: User, text: string, { mentions }: MessageContent, place: Place): number[] {
    const { directory } = this;
    const alerted = directory.of(preferencesPart).usersAlertedBy(text);
    if (alerted.size === 0) return [];
    const mentioned = new Set(mentions);
    const gets =
      'to' in place
        ? (userId: number) => place.to.includes(userId)
        : (userId: number) =>
            directory.isSubscribed(userId, place.channelId) || userId === author.userId || mentioned.has(userId);
    return [...alerted].filter(gets).sort((a, b) => a - b);
  }

  /** A link to a topic opens at its newest message that the author may read. */
  async #latestIds(author: User, content: string): Promise<ReadonlyMap<string, number>> {
    const latest = new Map<string, number>();
    let links = 0;
    for (const [, name = '', topic = ''] of content.matchAll(TOPIC_LINK)) {
      const channel = this.directory.channelByName(name);
      if (channel === undefined || !mayReadChannel(this.directory, author, channel)) continue;
      if (++links > TOPIC_LINKS_MAX) break;
      const { channelId } = channel;
      const newest = await this.reader.newestInTopic(channelId, topicKeyOf(normalizeTopic(topic)));
      if (newest === undefined || !mayReadMessage(this.directory, author, located(newest.id, newest.doc))) continue;
      latest.set(topicLinkKey(channelId, topic), newest.id);
    }
    return latest;
  }
}
