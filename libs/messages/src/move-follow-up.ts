import { Injectable } from '@nestjs/common';
import { type Cause, type FollowUp, FollowUps } from '#follow-ups';
import { Directory } from '#organization';
import type { MessagesMoved, MovedWithWishes } from './messages.events.js';
import { MoveBulletin } from './move-bulletin.js';
import { MoveTurns } from './move-turns.js';
import { TopicPolicies } from './topic-policies.js';

/** What follows from a move: topic policies go along, and topics are told (rules.md §6). */
@Injectable()
export class MoveFollowUp implements FollowUp<MovedWithWishes> {
  readonly cause = 'messages.moved.v1' satisfies MessagesMoved['type'];

  constructor(
    private readonly directory: Directory,
    private readonly policies: TopicPolicies,
    private readonly bulletin: MoveBulletin,
    private readonly turns: MoveTurns,
    followUps: FollowUps,
  ) {
    followUps.add(this);
  }

  /** Within a turn in which nothing else moves. The notices come last: they stand in the topics that are asked about. */
  async carryOut(cause: Cause<MovedWithWishes>): Promise<void> {
    const actor = this.directory.user(cause.data.by);
    if (actor === undefined) return;
    await this.policies.follow(actor, cause);
    await this.bulletin.tell(actor, cause);
  }

  readonly alone = <Result>(work: () => Promise<Result>): Promise<Result> => this.turns.move(work);
}
