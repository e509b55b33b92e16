import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { badRequest, originFrom } from '#kernel';
import type { User } from '#users/model';
import { FilesReader } from '../model/files.reader.js';
import { FileRemover } from './file-remover.js';

/** Removes a file of the actor's. @throws Refusal BAD_REQUEST, alike for unknown files and those of others */
export class RemoveAttachmentCommand extends Command<void> {
  constructor(
    readonly actor: User,
    readonly fileId: number,
  ) {
    super();
  }
}

export const removeAttachment = command(
  RemoveAttachmentCommand,
  { files: FilesReader, remover: FileRemover },
  async ({ actor, fileId }, { files, remover }) => {
    const file = await files.get(fileId);
    if (file?.doc.userId !== actor.userId) throw badRequest('Invalid attachment');
    await remover.remove(file, 'asked', originFrom(actor));
  },
);
