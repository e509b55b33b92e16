import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { ScheduledReader } from './scheduled.reader.js';

/** The viewer's scheduled messages (register.md §2). */
@Injectable()
export class ScheduledFields extends RegisterFields {
  override readonly keys = ['scheduled_messages'];

  constructor(private readonly reader: ScheduledReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (wants(context, 'scheduled_messages'))
      fields.add('scheduled_messages', await this.reader.of(context.viewer.userId));
  }
}
