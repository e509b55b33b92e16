import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { wireFolders } from './wire-folder.js';
import { foldersPart } from '../model/folders/folders.part.js';

/** Channel folders, archived ones included, in order (register.md §2, `channel_folders`). */
@Injectable()
export class FolderFields extends RegisterFields {
  override readonly keys = ['channel_folders'];

  override addTo(fields: JsonFields, context: RegisterContext): void {
    if (wants(context, 'channel_folders'))
      fields.add('channel_folders', wireFolders(context.directory.of(foldersPart)));
  }
}
