import { Command } from '@nestjs/cqrs';
import { BlobStore } from '#blob-store';
import { command, inOrganization } from '#feature';
import { Clock } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { EXPORTS_SPACE } from './exports-space.js';
import type { ExportRequest } from './exports.commands.js';
import { decideExport } from './exports.decider.js';
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
export const changeExports = command(
  ChangeExportsCommand,
  { directory: Directory, blobs: BlobStore, clock: Clock },
  ({ actor, asked }, { directory, blobs, clock }) =>
    inOrganization((now, at) =>
      decideExport({ exports: now.of(exportsPart), lastMessageId: now.lastMessageId }, { ...asked, actor, at }),
    ).answering(async ({ events: [event] }) => {
      if (event === undefined) throw new Error('An export was accepted and not recorded.');
      const { exportId } = event.data;
      const archive = directory.of(exportsPart).find((one) => one.exportId === exportId)?.archive;
      if (event.type === 'export.deleted.v1' && archive !== undefined)
        await blobs.space(EXPORTS_SPACE).remove(archive.hash, clock.nowMs());
      return exportId;
    }),
);
