import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import type { Trigger } from '#follow-ups';
import { causedBy, idsIn, nextSlice } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import type { ReadSidePass } from '#read-store';
import { MessageCommands } from '../existing/message-commands.js';
import type { MessagesMoved } from '../model/messages.events.js';
import type { MoveRest } from './move.commands.js';
import { moveRestDecider } from './move.decider.js';
import { MovePortions } from './move-portions.js';
import { oldestLeft } from '../existing/oldest-left.js';
import { MessagesReader } from '../existing/messages.reader.js';

const FACTS_PER_PAGE = 100;

/** Progress of a move that takes several events. */
interface Progress {
  /** Number of moved messages. */
  readonly count: number;
  readonly rest: MoveRest | undefined;
  /** Revision up to which the target's stream has been read. */
  readonly revision: number;
}

/**
 * Moves the rest of a long move in separate events: each becomes visible at once, and other requests run in between.
 * The progress is in the log, so it can resume after a process died, and run in two processes at a time.
 */
@Injectable()
export class MoveRests {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly portions: MovePortions,
    private readonly commands: MessageCommands,
    private readonly store: EventStore,
  ) {}

  /** @returns the total number of messages moved */
  async carryOut(actor: User, cause: Trigger<MessagesMoved['data']>, pass: ReadSidePass): Promise<number> {
    const { ids, rest } = cause.data;
    let progress: Progress = { count: idsIn(ids).length, rest, revision: cause.revision };
    while (progress.rest !== undefined) {
      await nextSlice();
      progress = await this.commands.moveLock.exclusive(() => this.#step(actor, cause, progress, pass));
    }
    return progress.count;
  }

  async #step(
    actor: User,
    cause: Trigger<MessagesMoved['data']>,
    known: Progress,
    pass: ReadSidePass,
  ): Promise<Progress> {
    const { data: move, revision } = cause;
    const progress = await this.#read(cause, known);
    const channel = this.directory.channel(move.from.channelId);
    if (progress.rest === undefined || channel === undefined) return { ...progress, rest: undefined };
    const topic = { actor, channel, topic: move.from.topic };
    const { ids, after, isLast } = await this.portions.next(topic, progress.rest, move.targetId);
    const rest = isLast ? undefined : { after, until: progress.rest.until };
    const firstLeft =
      channel.channelId === move.to.channelId || ids.length === 0
        ? undefined
        : await oldestLeft(this.reader, channel, ids);
    // Messages that the read models have lost would stay behind: the event says how far the move has come.
    await pass.assertValid();
    // A portion without messages to move has no event.
    if (ids.length === 0) return { ...progress, rest };
    await this.commands.run(
      moveRestDecider,
      {
        messageId: move.targetId,
        move,
        continues: revision,
        ids,
        rest,
        firstLeft,
      },
      causedBy(cause),
    );
    return this.#read(cause, progress);
  }

  async #read({ stream, revision: began }: Trigger, known: Progress): Promise<Progress> {
    let { count, rest, revision } = known;
    for (let isWhole = false; !isWhole;) {
      const page = await this.store.readStream(stream, { from: revision + 1, limit: FACTS_PER_PAGE });
      for (const event of page) {
        const data = event.data as Partial<MessagesMoved['data']>;
        revision = event.revision;
        if (data.continues !== began) continue;
        count += idsIn(data.ids ?? []).length;
        rest = data.rest;
      }
      isWhole = page.length < FACTS_PER_PAGE;
    }
    return { count, rest, revision };
  }
}
