import { Command } from '@nestjs/cqrs';
import { command, inOrganizationWith } from '#feature';
import { nextSlice } from '#kernel';
import type { User } from '#users/model';
import { MANY_PRINCIPALS } from '../principals.js';
import { decideUnsubscribe, type Unsubscribed } from '../unsubscribe.decider.js';

/** Ends subscriptions by channel name. Unread messages there become read for the users who left. */
export class UnsubscribeCommand extends Command<Unsubscribed> {
  constructor(
    readonly actor: User,
    readonly names: readonly string[],
    readonly principals: readonly (number | string)[] | undefined,
  ) {
    super();
  }
}

export const unsubscribe = command(UnsubscribeCommand, {}, async ({ actor, names, principals }) => {
  if (principals !== undefined && principals.length > MANY_PRINCIPALS) await nextSlice();
  return inOrganizationWith((directory, at) =>
    decideUnsubscribe(directory, { type: 'unsubscribe', actor, names, principals, at }),
  ).answering(({ appended: _, ...unsubscribed }) => unsubscribed);
});
