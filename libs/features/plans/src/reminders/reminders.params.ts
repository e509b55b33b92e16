import { integer, Param, text } from '#http';
import { LIMITS } from '#realm/model';
import { Max, MaxCharacters } from '#validation';
import { TIMESTAMP_MAX } from '../timestamps.js';

export class AddReminderParams {
  @Param(integer(), { description: 'The message to be reminded of.' })
  message_id!: number;

  @Param(integer(), { description: 'When to be reminded, in seconds since the epoch.' })
  @Max(TIMESTAMP_MAX)
  scheduled_delivery_timestamp!: number;

  @Param(text(), { optional: true, description: 'Markdown, shown in the message of the notification bot.' })
  @MaxCharacters(LIMITS.max_reminder_note_length)
  note?: string;
}
