import { Command } from '@nestjs/cqrs';
import { command, type Given } from '#feature';
import { Clock, nextSlice, originFrom } from '#kernel';
import { accessChannelContent } from '#channels/model';
import { Directory } from '#people';
import type { User } from '#users/model';
import { where, type Filter } from '#read-store';
import { mayDelete } from './deletion.access.js';
import { assertMayDeleteTopic, topicDeletionDecider } from './deletion.decider.js';
import { MessageCommands } from '../existing/message-commands.js';
import { oldestLeft } from '../existing/oldest-left.js';
import { mentionedOutside } from '../model/mentioned-outside.js';
import { located, mayReadMessage } from '../model/message.access.js';
import { topicKeyOf } from '../model/place.js';
import { MessagesReader, sizeOf, type MessageRow } from '../existing/messages.reader.js';
import { inTopic } from '../existing/place-filters.js';
import { normalizeTopic } from '../model/topic.js';

/**
 * Maximum messages deleted by one event: all effects of an event are one commit, for which other writes wait. Clients
 * without bulk deletion get one client event per message, within the limit per event.
 */
const DELETED_AT_ONCE_MAX = 200;
const DELETED_BYTES_MAX = 100_000;
/** Maximum messages without access that are skipped in one turn. */
const EXAMINED_MAX = 1_000;
/** Time limit of a request; the rest is deleted when the client asks again. */
const BUDGET_MS = 20_000;

/**
 * Deletes the messages of a topic that the actor sees, newest first (endpoints.md §4, POST
 * /streams/{stream_id}/delete_topic). Returns whether all of them are deleted.
 */
export class DeleteTopicCommand extends Command<boolean> {
  constructor(
    readonly actor: User,
    readonly channelId: number,
    /** Name of the topic, as requested. */
    readonly topic: string,
  ) {
    super();
  }
}

const NEEDS = { directory: Directory, commands: MessageCommands, reader: MessagesReader, clock: Clock };

export const deleteTopic = command(DeleteTopicCommand, NEEDS, async ({ actor, channelId, topic }, given) => {
  const { commands, clock } = given;
  const topicKey = topicKeyOf(normalizeTopic(topic));
  const deadlineMs = clock.nowMs() + BUDGET_MS;
  let below: number | undefined = Number.MAX_SAFE_INTEGER;
  while (below !== undefined) {
    if (clock.nowMs() > deadlineMs) return false;
    const untilId: number = below - 1;
    below = await commands.moveLock.exclusive(() => deleteSome(actor, { channelId, topicKey, untilId }, given));
    await nextSlice();
  }
  return true;
});

/** @returns the ID below which the topic may have more messages; undefined when there are none */
async function deleteSome(
  actor: User,
  { channelId, topicKey, untilId }: { readonly channelId: number; readonly topicKey: string; readonly untilId: number },
  { directory, commands, reader, clock }: Given<typeof NEEDS>,
): Promise<number | undefined> {
  const channel = accessChannelContent(directory, actor, channelId);
  const mayDeleteAny = mayDelete(directory, actor, channel, 'any');
  assertMayDeleteTopic(mayDeleteAny);
  const earlier = where.and(inTopic(channelId, topicKey), where.range('$key', { lte: untilId }));
  const { messages, next } = await portion(directory, reader, actor, earlier);
  const [first] = messages;
  if (first !== undefined) {
    const ids = messages.map(({ id }) => id);
    await commands.run(
      topicDeletionDecider,
      {
        messageId: first.id,
        by: actor.userId,
        at: clock.nowSeconds(),
        place: { channelId, topic: first.doc.topic ?? '' },
        isArchived: channel.isArchived,
        mayDeleteAny,
        messages: messages.map(({ id, doc }) => ({ id, arrival: doc.arrivals?.at(-1)?.position })),
        mentioned: mentionedOutside(directory, messages),
        firstLeft: await oldestLeft(reader, channel, ids),
      },
      originFrom(actor),
    );
  }
  return next;
}

/** The newest matching messages that the actor may see, ascending, and the ID below which there may be more. */
async function portion(
  directory: Directory,
  reader: MessagesReader,
  actor: User,
  filter: Filter,
): Promise<{ readonly messages: readonly MessageRow[]; readonly next: number | undefined }> {
  const messages: MessageRow[] = [];
  let reached = Number.MAX_SAFE_INTEGER;
  let [bytes, examined] = [0, 0];
  for await (const row of reader.walk(filter, 'descending')) {
    bytes += sizeOf(row.doc);
    const isTooMuch = bytes > DELETED_BYTES_MAX && examined > 0;
    if (isTooMuch || messages.length === DELETED_AT_ONCE_MAX || examined === EXAMINED_MAX)
      return { messages: messages.reverse(), next: reached };
    if (mayReadMessage(directory, actor, located(row.id, row.doc))) messages.push(row);
    reached = row.id;
    examined++;
  }
  return { messages: messages.reverse(), next: undefined };
}
