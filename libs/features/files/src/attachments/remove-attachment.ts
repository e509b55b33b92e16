import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { badRequest } from '#kernel';
import type { User } from '#organization';
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

@CommandHandler(RemoveAttachmentCommand)
export class RemoveAttachmentHandler implements ICommandHandler<RemoveAttachmentCommand> {
  constructor(
    private readonly files: FilesReader,
    private readonly remover: FileRemover,
  ) {}

  async execute({ actor, fileId }: RemoveAttachmentCommand): Promise<void> {
    const file = await this.files.get(fileId);
    if (file === undefined) throw invalidAttachment();
    if (file.doc.userId !== actor.userId) throw invalidAttachment();
    await this.remover.remove(file, 'asked');
  }
}

function invalidAttachment(): Error {
  return badRequest('Invalid attachment');
}
