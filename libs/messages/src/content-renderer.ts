import { Injectable } from '@nestjs/common';
import { isPlain } from '#markdown';
import { Directory, mayReadChannel, Site, type User } from '#organization';
import type { MessageContent } from './message-content.js';
import { located, mayReadMessage } from './message.access.js';
import { topicKeyOf } from './place.js';
import { MessagesReader } from './queries/messages.reader.js';
import { renderContent, renderWorldOf, topicLinkKey, type LatestIds } from './render-world.js';
import { normalizeTopic } from './topic.js';

const TOPIC_LINK = /#\*\*([^*\n>]{1,200})>([^*\n]{0,200})\*\*/g;
/** Each costs a look into the read store; links beyond these open at the topic's beginning. */
const TOPIC_LINKS_MAX = 20;

/** Renders content with what only the read store knows. */
@Injectable()
export class ContentRenderer {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly reader: MessagesReader,
  ) {}

  render(author: User, content: string): MessageContent | Promise<MessageContent> {
    if (isPlain(content)) return { content };
    return content.includes('#**') ? this.#withLinks(author, content) : this.#render(author, content);
  }

  async #withLinks(author: User, content: string): Promise<MessageContent> {
    return this.#render(author, content, await this.#latestIds(author, content));
  }

  #render(author: User, content: string, latestIds?: LatestIds): MessageContent {
    const { directory, site } = this;
    return renderContent(directory, content, () => renderWorldOf(directory, site.url, author, latestIds));
  }

  /** A link to a topic opens at its newest message, as far as the author may read it. */
  async #latestIds(author: User, content: string): Promise<LatestIds> {
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
