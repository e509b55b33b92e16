import { defineFeature } from '#feature';
import { AttachmentClientEvents } from './attachments/attachments.client-events.js';
import { FilesModule } from './files.module.js';
import { fileContents } from './model/file-space.js';
import { fileEventTypes } from './model/file.events.js';
import { filesProjection, spaceProjection } from './model/files.projection.js';
import { FileCleanUp } from './clean-up/file-clean-up.js';

/** Uploaded files. */
export const files = defineFeature({
  name: 'files',
  events: fileEventTypes,
  projections: [filesProjection, spaceProjection],
  clientEvents: [AttachmentClientEvents],
  work: [FileCleanUp],
  contents: [fileContents],
  module: FilesModule,
});
