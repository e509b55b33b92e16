import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readerProvider } from '#feature';
import { MessagesModule, ReferencedFiles } from '#messages';
import { RecordedReferences } from '#reading';
import { PlansModule } from '#plans';
import { AttachmentClientEvents } from './attachments/attachments.client-events.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { FileRemover } from './attachments/file-remover.js';
import { ListAttachmentsHandler } from './attachments/list-attachments.js';
import { RemoveAttachmentHandler } from './attachments/remove-attachment.js';
import { FileCleanUp } from './clean-up/file-clean-up.js';
import { RecordedContent } from './clean-up/recorded-content.js';
import { filesCollection, spaceCollection } from './model/files.projection.js';
import { FilesReader, SpaceReader } from './model/files.reader.js';
import { FileSender } from './serve/file-sender.js';
import { FileUrlHandler } from './serve/file-url.js';
import { FileUrlController } from './serve/file-url.controller.js';
import { FilesController } from './serve/files.controller.js';
import { ReadableFiles, UploadedFiles } from './serve/readable-files.js';
import { UploadController } from './upload/upload.controller.js';
import { UploadFileHandler } from './upload/upload-file.js';

/** Providers that other modules use; messages reach the files by `ReferencedFiles`. */
const open = [AttachmentClientEvents, { provide: ReferencedFiles, useClass: UploadedFiles }];

/** Uploaded files. Global, since messages refer to files, and files are open to the readers of messages. */
@Global()
@Module({
  imports: [CqrsModule, MessagesModule, PlansModule],
  // The more specific paths first.
  controllers: [UploadController, FileUrlController, FilesController, AttachmentsController],
  providers: [
    ...open,
    readerProvider(FilesReader, filesCollection),
    readerProvider(SpaceReader, spaceCollection),
    FileCleanUp,
    FileRemover,
    FileSender,
    FileUrlHandler,
    ListAttachmentsHandler,
    ReadableFiles,
    RecordedContent,
    RecordedReferences,
    RemoveAttachmentHandler,
    UploadFileHandler,
  ],
  exports: open,
})
export class FilesModule {}
