import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { BlobStore } from '#blob-store';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, type User } from '#organization';
import { EXPORTS_SPACE } from '../making/exports-space.js';
import type { ExportRequest } from './exports.commands.js';
import { decideExport } from './exports.decider.js';
import type { ExportEvent } from '../model/export.events.js';
import { exportsPart } from '../model/exports.part.js';

/** Requests an export, or deletes one (endpoints.md §12). Resolves to its ID. */
export class ChangeExportsCommand extends Command<number> {
  constructor(
    readonly actor: User,
    readonly asked: ExportRequest,
  ) {
    super();
  }
}

/** @throws Refusal as `decideExport` */
@CommandHandler(ChangeExportsCommand)
export class ChangeExportsHandler implements ICommandHandler<ChangeExportsCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly blobs: BlobStore,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeExportsCommand): Promise<number> {
    const at = this.clock.nowSeconds();
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideExport(
        { exports: directory.of(exportsPart), lastMessageId: directory.lastMessageId },
        { ...asked, actor, at },
      ),
    }));
    const [event] = events;
    if (event === undefined) throw new Error('An export was accepted and not recorded.');
    if (event.type === 'export.deleted.v1') await this.#discard(event);
    return event.data.exportId;
  }

  async #discard({ data: { exportId } }: Extract<ExportEvent, { type: 'export.deleted.v1' }>): Promise<void> {
    const archive = this.directory.of(exportsPart).find((one) => one.exportId === exportId)?.archive;
    if (archive === undefined) return;
    await this.blobs.space(EXPORTS_SPACE).remove(archive.hash, this.clock.nowMs());
  }
}
