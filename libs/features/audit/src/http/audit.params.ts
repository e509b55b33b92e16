import { Param, text } from '#http';
import { MaxCharacters, MinCharacters } from '#validation';

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
}
