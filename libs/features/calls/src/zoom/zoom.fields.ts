import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { ZoomAccountsReader } from './zoom-accounts.reader.js';

/** Whether calls can be made with the viewer's account at Zoom (register.md §2). */
@Injectable()
export class ZoomFields extends RegisterFields {
  override readonly keys = ['video_calls'];

  constructor(private readonly accounts: ZoomAccountsReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (!wants(context, 'video_calls')) return;
    fields.add('has_zoom_token', (await this.accounts.tokensOf(context.viewer.userId)) !== undefined);
  }
}
