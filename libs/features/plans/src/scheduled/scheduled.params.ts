import { Type } from 'typebox';
import { boolean, integer, json, Param, Shape, text } from '#http';
import { DIRECT_RECIPIENTS_MAX } from '#messages';
import { IsIn, Max } from '#validation';
import { TIMESTAMP_MAX } from '../timestamps.js';

const TYPES = ['direct', 'channel', 'stream', 'private'] as const;
type MessageType = (typeof TYPES)[number];

const Recipients = Type.Union([Type.Integer(), Type.Array(Type.Integer(), { maxItems: DIRECT_RECIPIENTS_MAX + 1 })]);
const TO = 'ID of a channel, or IDs of users.';
const CONTENT = 'Markdown. What is longer than max_message_length is cut off.';
const TIME = 'When to send it, in seconds since the epoch.';

export class AddScheduledParams {
  @Param(text())
  @IsIn(TYPES)
  type!: MessageType;

  @Param(json(), { description: TO })
  @Shape(Recipients)
  to!: number | number[];

  @Param(text(), { description: CONTENT })
  content!: string;

  @Param(text(), { aliases: ['subject'], optional: true, description: 'Of a channel message.' })
  topic?: string;

  @Param(integer(), { description: TIME })
  @Max(TIMESTAMP_MAX)
  scheduled_delivery_timestamp!: number;

  @Param(boolean(), { optional: true })
  read_by_sender?: boolean;
}

export class ChangeScheduledParams {
  @Param(text(), { optional: true })
  @IsIn(TYPES)
  type?: MessageType;

  @Param(json(), { optional: true, description: TO })
  @Shape(Recipients)
  to?: number | number[];

  @Param(text(), { optional: true, description: CONTENT })
  content?: string;

  @Param(text(), { aliases: ['subject'], optional: true, description: 'Of a channel message.' })
  topic?: string;

  @Param(integer(), { optional: true, description: TIME })
  @Max(TIMESTAMP_MAX)
  scheduled_delivery_timestamp?: number;
}
