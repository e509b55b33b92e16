import { integer, Param, text } from '#http';
import { MaxCharacters, Min, MinCharacters } from '#validation';
import { AuditParams } from './audit.params.js';

const NAME_LENGTH_MAX = 200;
const TIME_LENGTH_MAX = 40;
const WORDS_LENGTH_MAX = 1000;
const PLACE_LENGTH_MAX = 60;

export class ExportParams extends AuditParams {
  @Param(text(), { optional: true, description: 'ID or name of a channel: messages that ever were in it.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  channel?: string;

  @Param(text(), { optional: true, description: 'ID, e-mail address or full name of a user: messages that they sent.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  user?: string;

  @Param(text(), { optional: true, description: 'Messages sent then or later: UNIX seconds, or a time in ISO form.' })
  @MaxCharacters(TIME_LENGTH_MAX)
  after?: string;

  @Param(text(), { optional: true, description: 'Messages sent before then: UNIX seconds, or a time in ISO form.' })
  @MaxCharacters(TIME_LENGTH_MAX)
  before?: string;

  @Param(text(), { optional: true, description: 'Messages with a wording, current or former, that has all words.' })
  @MinCharacters(1)
  @MaxCharacters(WORDS_LENGTH_MAX)
  words?: string;

  @Param(text(), {
    optional: true,
    description: 'Stream and revision of the last event of an earlier export: only messages that have changed since.',
  })
  @MaxCharacters(PLACE_LENGTH_MAX)
  since?: string;

  @Param(integer(), { name: 'after_message', optional: true, description: 'Only messages with higher IDs.' })
  @Min(0)
  afterMessage?: number;
}

export class ExportFileParams extends AuditParams {
  @Param(integer(), {
    name: 'message_id',
    optional: true,
    description: 'A message of an approved export that has the file: no approval of its own is needed then.',
  })
  @Min(1)
  messageId?: number;
}
