import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { synchronizesDrafts } from './drafts.access.js';
import { DraftsReader } from './drafts.reader.js';

/** The viewer's drafts (register.md §2). */
@Injectable()
export class DraftFields extends RegisterFields {
  override readonly keys = ['drafts'];

  constructor(private readonly reader: DraftsReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (!wants(context, 'drafts')) return;
    const { directory, viewer } = context;
    fields.add('drafts', synchronizesDrafts(directory, viewer) ? await this.reader.of(viewer.userId) : []);
  }
}
