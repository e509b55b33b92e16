import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { SnippetsReader } from './snippets.reader.js';

/** The viewer's saved snippets (register.md §2). */
@Injectable()
export class SnippetFields extends RegisterFields {
  override readonly keys = ['saved_snippets'];

  constructor(private readonly reader: SnippetsReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (wants(context, 'saved_snippets')) fields.add('saved_snippets', await this.reader.of(context.viewer.userId));
  }
}
