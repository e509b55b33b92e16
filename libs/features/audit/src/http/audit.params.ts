import { boolean, integer, Param, text } from '#http';
import { MaxCharacters, Min, MinCharacters } from '#validation';
import type { Question } from '../answering.js';

const REASON_LENGTH_MAX = 1000;
const TIME_LENGTH_MAX = 40;

/** Parameters of every question of an auditor. */
export class AuditParams {
  /** Why the auditor asks. Recorded with the call. */
  @Param(text(), { description: 'Why you ask. It is recorded with your call.' })
  @MinCharacters(1)
  @MaxCharacters(REASON_LENGTH_MAX)
  reason!: string;

  @Param(text(), {
    name: 'as_of',
    optional: true,
    description: 'UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.',
  })
  @MaxCharacters(TIME_LENGTH_MAX)
  asOf?: string;

  /** What is asked, for the record of the call. */
  question(name: string, parameters: Question['parameters'] = {}): Question {
    return { name, parameters, reason: this.reason, asOf: this.asOf };
  }
}

const NAME_LENGTH_MAX = 200;

export class ChannelParams extends AuditParams {
  @Param(text(), { description: 'ID or name of the channel.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  channel!: string;
}

export class TopicParams extends ChannelParams {
  @Param(text())
  @MaxCharacters(NAME_LENGTH_MAX)
  topic!: string;
}

export class UserParams extends AuditParams {
  @Param(text(), { description: 'ID, e-mail address or full name of the user.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  user!: string;
}

/** Parameters of questions about a period. */
class PeriodParams extends AuditParams {
  @Param(text(), { optional: true, description: 'Only what was done later than this moment, written as as_of is.' })
  @MaxCharacters(TIME_LENGTH_MAX)
  after?: string;

  @Param(text(), { optional: true, description: 'Only what was done up to this moment, written as as_of is.' })
  @MaxCharacters(TIME_LENGTH_MAX)
  before?: string;
}

export class ActsParams extends PeriodParams {
  @Param(text(), { description: 'ID, e-mail address or full name of a user or bot, or `operator`.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  who!: string;
}

export class SignInsParams extends PeriodParams {
  @Param(text(), { optional: true, description: 'Only of this account: ID, e-mail address or full name of a user.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  user?: string;

  @Param(boolean(), { default: false, description: 'Only attempts that failed.' })
  failed!: boolean;
}

export class GroupParams extends AuditParams {
  @Param(text(), { description: 'ID or name of the group.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  group!: string;
}

export class SettingParams extends AuditParams {
  @Param(text(), { description: 'Name of a setting, a permission or a list of the organization.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  setting!: string;
}

export class AccessParams extends AuditParams {
  @Param(text(), { optional: true, description: 'ID or name of a channel: who could read it.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  channel?: string;

  @Param(integer(), { name: 'message_id', optional: true, description: 'Who could read the message.' })
  @Min(1)
  messageId?: number;

  @Param(text(), { optional: true, description: 'Only about this user, by ID, e-mail address or full name.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  user?: string;

  @Param(text(), { name: 'could_read', optional: true, description: 'Which channels this user could read.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  couldRead?: string;
}

const WORDS_LENGTH_MAX = 1000;

export class SearchParams extends AuditParams {
  @Param(text(), { description: 'Words that a wording has, all of them, in any form and order.' })
  @MinCharacters(1)
  @MaxCharacters(WORDS_LENGTH_MAX)
  words!: string;
}
