import { Injectable } from '@nestjs/common';
import type { Trigger, FollowUp } from '#follow-ups';
import { Directory } from '#people';
import type { ReadSidePass } from '#read-store';
import type { MovedWithWishes } from '../model/messages.events.js';
import { MoveNotifier } from './move-notifier.js';
import { MoveRests } from './move-rest.js';
import { TopicPolicies } from './topic-policies.js';

/** Follow-up of a move: moves the rest of the topic and its visibility policies, and posts notices (rules.md §6). */
@Injectable()
export class MoveFollowUp implements FollowUp<MovedWithWishes> {
  constructor(
    private readonly directory: Directory,
    private readonly policies: TopicPolicies,
    private readonly notifier: MoveNotifier,
    private readonly rests: MoveRests,
  ) {}

  /** The notices come last, because they are messages of the topics that the other steps read. */
  async carryOut(cause: Trigger<MovedWithWishes>, pass: ReadSidePass): Promise<void> {
    const actor = this.directory.user(cause.data.by);
    if (actor === undefined) return;
    const count = await this.rests.carryOut(actor, cause, pass);
    await this.policies.follow(actor, cause, pass);
    await this.notifier.tell(actor, cause, count, pass);
  }
}
