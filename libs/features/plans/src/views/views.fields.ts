import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { ViewsReader } from './views.reader.js';

/** The viewer's navigation views (register.md §2). */
@Injectable()
export class ViewFields extends RegisterFields {
  override readonly keys = ['navigation_views'];

  constructor(private readonly reader: ViewsReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (wants(context, 'navigation_views')) fields.add('navigation_views', await this.reader.of(context.viewer.userId));
  }
}
