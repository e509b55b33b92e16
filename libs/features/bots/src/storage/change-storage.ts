import { Command } from '@nestjs/cqrs';
import { streams } from '#event-store';
import { command, inStream } from '#feature';
import type { User } from '#users/model';
import { type RemoveStorage, type SetStorage, storageDecider } from './storage.decider.js';

/** Changes what the actor keeps on the server. @throws Refusal as `storageDecider` */
export class ChangeStorageCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly request: Omit<SetStorage, 'userId' | 'at'> | Omit<RemoveStorage, 'userId' | 'at'>,
  ) {
    super();
  }
}

export const changeStorage = command(ChangeStorageCommand, {}, ({ actor: { userId }, request }) =>
  inStream(storageDecider, streams.botStorage(userId), (at) => ({ ...request, userId, at })),
);
