import { boolean, integer, Param, text } from '#http';
import { ROLE } from '#users/model';
import { IsIn, Max, MaxCharacters, Min, MinCharacters } from '#validation';

const ROWS_MAX = 1_000;
const REASON_LENGTH_MAX = 500;
const COMMENT_LENGTH_MAX = 8_000;

export class PageParams {
  @Param(integer(), { default: 0, description: 'ID after which the page begins.' })
  @Min(0)
  after!: number;

  @Param(integer(), { default: ROWS_MAX, description: 'Rows at most.' })
  @Min(1)
  @Max(ROWS_MAX)
  limit!: number;
}

export class RoleParams {
  @Param(text())
  @IsIn(Object.keys(ROLE))
  role!: keyof typeof ROLE;
}

export class OperatorInviteParams {
  @Param(text(), { description: 'E-mail addresses, separated by commas or line breaks.' })
  @MaxCharacters(COMMENT_LENGTH_MAX)
  emails!: string;

  @Param(text(), { default: 'member' })
  @IsIn(Object.keys(ROLE))
  role!: keyof typeof ROLE;
}

export class OperatorDeactivateParams {
  @Param(text(), { optional: true, description: 'Told to the person by mail.' })
  @MaxCharacters(COMMENT_LENGTH_MAX)
  comment?: string;
}

export class OfferResetParams {
  @Param(boolean(), { default: false, description: 'Send the link to the person, instead of answering with it.' })
  mail!: boolean;
}

export class PendingParams {
  @Param(text(), { optional: true, description: 'Of this kind alone.' })
  kind?: string;

  @Param(integer(), { default: 100, description: 'Rows of each kind at most, those that are tried next.' })
  @Min(1)
  @Max(ROWS_MAX)
  limit!: number;
}

export class DropParams {
  @Param(text(), { description: 'Recorded with the event that gives it up.' })
  @MinCharacters(1)
  @MaxCharacters(REASON_LENGTH_MAX)
  reason!: string;
}

export class QueuesParams {
  @Param(integer(), { default: 100, description: 'Rows at most: the queues that are the farthest behind.' })
  @Min(1)
  @Max(ROWS_MAX)
  limit!: number;
}
