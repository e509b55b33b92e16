import { defineFeature, readerProvider } from '#feature';
import { ReferencedFiles } from '#messages';
import { AttachmentClientEvents } from './attachments/attachments.client-events.js';
import { AttachmentsController } from './attachments/attachments.controller.js';
import { FileRemover } from './attachments/file-remover.js';
import { listAttachments } from './attachments/list-attachments.js';
import { removeAttachment } from './attachments/remove-attachment.js';
import { FileCleanUp } from './clean-up/file-clean-up.js';
import { RecordedContent } from './clean-up/recorded-content.js';
import { fileContents } from './model/file-space.js';
import { fileEventTypes } from './model/file.events.js';
import { filesProjection, spaceProjection, filesCollection, spaceCollection } from './model/files.projection.js';
import { FilesReader, SpaceReader } from './model/files.reader.js';
import { FileSender } from './serve/file-sender.js';
import { FileUrlController } from './serve/file-url.controller.js';
import { fileUrl } from './serve/file-url.js';
import { FilesController } from './serve/files.controller.js';
import { ReadableFiles, UploadedFiles } from './serve/readable-files.js';
import { Uploads, uploadFile } from './upload/upload-file.js';
import { UploadController } from './upload/upload.controller.js';
import { attachmentEventSchemas } from './attachments/wire-attachment.js';

/** Uploaded files. */
export const files = defineFeature({
  name: 'files',
  events: fileEventTypes,
  projections: [filesProjection, spaceProjection],
  clientEvents: [AttachmentClientEvents],
  eventSchemas: [attachmentEventSchemas],
  work: [FileCleanUp],
  contents: [fileContents],
  commands: [removeAttachment, uploadFile],
  queries: [fileUrl, listAttachments],
  controllers: [UploadController, FileUrlController, FilesController, AttachmentsController],
  providers: [
    { provide: ReferencedFiles, useClass: UploadedFiles },
    readerProvider(FilesReader, filesCollection),
    readerProvider(SpaceReader, spaceCollection),
    FileRemover,
    FileSender,
    ReadableFiles,
    RecordedContent,
    Uploads,
  ],
});
