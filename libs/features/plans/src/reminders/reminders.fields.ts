import { Injectable } from '@nestjs/common';
import { type JsonFields, type RegisterContext, RegisterFields, wants } from '#feature';
import { RemindersReader } from './reminders.reader.js';

/** The viewer's reminders (register.md §2). */
@Injectable()
export class ReminderFields extends RegisterFields {
  override readonly keys = ['reminders'];

  constructor(private readonly reader: RemindersReader) {
    super();
  }

  override async addTo(fields: JsonFields, context: RegisterContext): Promise<void> {
    if (wants(context, 'reminders')) fields.add('reminders', await this.reader.of(context.viewer.userId));
  }
}
