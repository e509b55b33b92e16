import { boolean, integer, json, Param, Shape, text } from '#http';
import { ArrayMaxSize, IsArray, IsIn, IsInt, MaxCharacters, Min } from '#validation';
import { NARROW_LENGTH_MAX, NarrowSchema, type WireNarrow } from '../narrow/narrow-terms.js';

/** Maximum messages named by one request; clients send batches of hundreds. */
const FLAGGED_MAX = 10_000;

export class ChangeFlagsParams {
  @Param(json())
  @IsArray()
  @ArrayMaxSize(FLAGGED_MAX)
  @IsInt({ each: true })
  @Min(0, { each: true })
  messages!: number[];

  @Param(text())
  @IsIn(['add', 'remove'])
  op!: 'add' | 'remove';

  @Param(text(), { description: '`read`, `starred` or `collapsed`.' })
  @MaxCharacters(100)
  flag!: string;
}

export class MarkChannelReadParams {
  @Param(integer())
  @Min(1)
  stream_id!: number;
}

export class MarkTopicReadParams extends MarkChannelReadParams {
  @Param(text())
  @MaxCharacters(1000)
  topic_name!: string;
}

export class ChangeFlagsInNarrowParams {
  @Param(text(), { description: 'A message ID, `newest`, `oldest` or `first_unread`.' })
  @MaxCharacters(100)
  anchor!: string;

  @Param(boolean(), { default: true })
  include_anchor!: boolean;

  @Param(integer())
  @Min(0)
  num_before!: number;

  @Param(integer())
  @Min(0)
  num_after!: number;

  @Param(json({ lengthMax: NARROW_LENGTH_MAX }))
  @Shape(NarrowSchema)
  narrow!: WireNarrow;

  @Param(text())
  @IsIn(['add', 'remove'])
  op!: 'add' | 'remove';

  @Param(text(), { description: '`read`, `starred` or `collapsed`.' })
  @MaxCharacters(100)
  flag!: string;
}
