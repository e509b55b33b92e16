import { Injectable } from '@nestjs/common';
import { CommandRunner, streams } from '#event-store';
import type { Trigger } from '#follow-ups';
import { causedBy, forEachInBatches } from '#kernel';
import { Directory } from '#people';
import { mayReadArriving } from '#channels/model';
import type { User } from '#users/model';
import { followMoveDecider, preferencesPart } from '#preferences/model';
import type { ReadSidePass } from '#read-store';
import type { ChannelPlace, MovedWithWishes } from '../model/messages.events.js';
import { MessagesReader } from '../existing/messages.reader.js';
import { seesAnythingIn } from '../existing/visible-topic.js';
import { isSameTopic } from './move-notices.js';

/** Users whose preferences are changed in parallel. */
const CHANGED_AT_ONCE = 32;

/** Moves users' visibility policies of a topic along when the whole topic moves (rules.md §6). */
@Injectable()
export class TopicPolicies {
  constructor(
    private readonly directory: Directory,
    private readonly reader: MessagesReader,
    private readonly runner: CommandRunner,
  ) {}

  /** Policies that have followed the move already are not changed again. */
  async follow(actor: User, { key, data }: Trigger<MovedWithWishes>, pass: ReadSidePass): Promise<void> {
    const { from, to, at } = data;
    const { merges } = data.entails;
    if (isSameTopic(from, to)) return;
    const concerned = [...new Set([...this.#usersIn(from), ...(merges ? this.#usersIn(to) : [])])];
    if (concerned.length === 0 || (await seesAnythingIn(this.directory, this.reader, actor, from))) return;
    // The topic looks empty as well when the read models are put back.
    await pass.assertValid();
    await forEachInBatches(CHANGED_AT_ONCE, concerned, (userId) => {
      const mayFollow = this.#mayRead(userId, to);
      const command = { type: 'follow-move', userId, from, to, merges, mayFollow, cause: key, at } as const;
      return this.runner.run(followMoveDecider, streams.user(userId), command, causedBy({ key }));
    });
  }

  #usersIn({ channelId, topic }: ChannelPlace): number[] {
    return Array.from(this.directory.of(preferencesPart).inTopic(channelId, topic), ({ userId }) => userId);
  }

  #mayRead(userId: number, { channelId }: ChannelPlace): boolean {
    const user = this.directory.user(userId);
    const channel = this.directory.channel(channelId);
    return user !== undefined && channel !== undefined && mayReadArriving(this.directory, user, channel);
  }
}
