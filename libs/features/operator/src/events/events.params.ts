import { integer, Param, text } from '#http';
import { Max, MaxCharacters, Min } from '#validation';

const ROWS_MAX = 1_000;
/** The one behind it is a number as well. */
const REVISION_MAX = Number.MAX_SAFE_INTEGER - 1;
const NAME_LENGTH_MAX = 256;
const CURSOR_LENGTH_MAX = 100;

export class StreamParams {
  @Param(integer(), { default: -1, description: 'Revision after which the page begins.' })
  @Min(-1)
  @Max(REVISION_MAX)
  after!: number;

  @Param(integer(), { default: 100, description: 'Events at most.' })
  @Min(1)
  @Max(ROWS_MAX)
  limit!: number;
}

export class TailParams {
  @Param(text(), { optional: true, description: '`next` of the answer before; absent: from now on.' })
  @MaxCharacters(CURSOR_LENGTH_MAX)
  after?: string;

  @Param(text(), { optional: true, description: 'Begin of the type of an event.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  type?: string;

  @Param(text(), { optional: true, description: "Begin of a stream's name." })
  @MaxCharacters(NAME_LENGTH_MAX)
  stream?: string;

  @Param(text(), { optional: true, description: 'A kind of actor, or the ID of a user.' })
  @MaxCharacters(NAME_LENGTH_MAX)
  actor?: string;

  @Param(integer(), { default: 100, description: 'Events at most.' })
  @Min(1)
  @Max(ROWS_MAX)
  limit!: number;
}
