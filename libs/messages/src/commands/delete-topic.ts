import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '#kernel';
import { accessChannelContent, Directory, type User } from '#organization';
import { where } from '#read-store';
import { mayDelete } from '../deletion.access.js';
import { assertMayDeleteTopic } from '../deletion.decider.js';
import { MessageDesk } from '../message-desk.js';
import { oldestLeft } from '../oldest-left.js';
import { located, mayReadMessage } from '../message.access.js';
import { topicKeyOf } from '../place.js';
import { MessagesReader } from '../queries/messages.reader.js';
import { inTopic } from '../queries/place-filters.js';
import { normalizeTopic } from '../topic.js';

/** So many are one fact: clients that are told of messages one by one get no more events than one fact may have. */
const DELETED_AT_ONCE_MAX = 500;
/** Whoever asked waits no longer; what is left is deleted when they ask again. */
const BUDGET_MS = 20_000;

/**
 * Deletes what the actor sees of a topic, the newest first (endpoints.md §4, POST /streams/{stream_id}/delete_topic). Gives
 * whether all of it is gone.
 */
export class DeleteTopicCommand extends Command<boolean> {
  constructor(
    readonly actor: User,
    readonly channelId: number,
    /** As asked. */
    readonly topic: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteTopicCommand)
export class DeleteTopicHandler implements ICommandHandler<DeleteTopicCommand> {
  constructor(
    private readonly directory: Directory,
    private readonly desk: MessageDesk,
    private readonly reader: MessagesReader,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, channelId, topic }: DeleteTopicCommand): Promise<boolean> {
    const topicKey = topicKeyOf(normalizeTopic(topic));
    const deadlineMs = this.clock.nowMs() + BUDGET_MS;
    let below: number | undefined = Number.MAX_SAFE_INTEGER;
    while (below !== undefined) {
      if (this.clock.nowMs() > deadlineMs) return false;
      const untilId: number = below - 1;
      below = await this.desk.turns.move(() => this.#deleteSome(actor, channelId, topicKey, untilId));
    }
    return true;
  }

  /** @returns below which ID there may be more of the topic; undefined when there is none */
  async #deleteSome(actor: User, channelId: number, topicKey: string, untilId: number): Promise<number | undefined> {
    const channel = accessChannelContent(this.directory, actor, channelId);
    const mayDeleteAny = mayDelete(this.directory, actor, channel, 'any');
    assertMayDeleteTopic(mayDeleteAny);
    const earlier = where.and(inTopic(channelId, topicKey), where.range('$key', { lte: untilId }));
    const page = await this.reader.find(earlier, 'descending', DELETED_AT_ONCE_MAX);
    const messages = page.filter(({ id, doc }) => mayReadMessage(this.directory, actor, located(id, doc))).reverse();
    const [first] = messages;
    if (first !== undefined) {
      await this.desk.run({
        type: 'delete-topic',
        messageId: first.id,
        by: actor.userId,
        at: this.clock.nowSeconds(),
        place: { channelId, topic: first.doc.topic ?? '' },
        isArchived: channel.isArchived,
        mayDeleteAny,
        messages: messages.map(({ id, doc }) => ({ id, arrival: doc.arrivals?.at(-1)?.position })),
        firstLeft: await oldestLeft(
          this.reader,
          channel,
          messages.map(({ id }) => id),
        ),
      });
    }
    return page.length < DELETED_AT_ONCE_MAX ? undefined : page.at(-1)?.id;
  }
}
