import { defineFeature } from '#feature';
import { AttachmentClientEvents } from './attachments/attachments.client-events.js';
import { FilesModule } from './files.module.js';
import { fileContents } from './model/file-space.js';
import { fileEventTypes } from './model/file.events.js';
import { filesProjection, spaceProjection } from './model/files.projection.js';

/** Uploaded files. */
export const files = defineFeature({
  name: 'files',
  events: fileEventTypes,
  projections: [filesProjection, spaceProjection],
  clientEvents: [AttachmentClientEvents],
  contents: [fileContents],
  module: FilesModule,
});
