import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import type { User } from '#users/model';
import type { SnippetRequest } from './snippets.commands.js';
import { snippetsDecider } from './snippets.decider.js';
import type { SnippetEvent } from './snippets.events.js';

/** Changes the actor's saved snippets; resolves to the recorded events. @throws Refusal as `snippetsDecider` */
export class ChangeSnippetsCommand extends Command<readonly SnippetEvent[]> {
  constructor(
    readonly actor: User,
    readonly request: SnippetRequest,
  ) {
    super();
  }
}

export const changeSnippets = command(ChangeSnippetsCommand, {}, ({ actor: { userId }, request }) =>
  inStream(snippetsDecider, streams.plans(userId), (at) => ({ ...request, userId, at })).answering(
    ({ events }) => events,
  ),
);
