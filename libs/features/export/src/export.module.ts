import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ExportClientEvents } from './export.client-events.js';
import { ExportLinks } from './export-links.js';
import { ArchiveController } from './http/archive.controller.js';
import { ExportsController } from './http/exports.controller.js';
import { ListConsentsHandler, ListExportsHandler } from './list-exports.js';
import { ExportSurroundings } from './making/export-surroundings.js';
import { MakeExport } from './making/make-export.js';
import { ChangeExportsHandler } from './requests/change-exports.js';

/** Exports of the organization's data. Stores and folders come from the composition root. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [ExportsController, ArchiveController],
  providers: [
    {
      provide: ExportLinks,
      inject: [ExportSurroundings],
      useFactory: ({ secret }: ExportSurroundings) => new ExportLinks(secret),
    },
    ChangeExportsHandler,
    ExportClientEvents,
    ListConsentsHandler,
    ListExportsHandler,
    MakeExport,
  ],
  exports: [ExportClientEvents],
})
export class ExportModule {}
