import { Type } from 'typebox';
import { boolean, integer, json, oneOf, Param, text } from '#http';
import { NARROW_LENGTH_MAX, NarrowSchema, type WireNarrow } from '../queries/narrow/narrow-terms.js';

/** How many messages one request may name; clients send them in batches of hundreds. */
const FLAGGED_MAX = 10_000;

export class ChangeFlagsParams {
  @Param(json(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: FLAGGED_MAX })))
  messages!: number[];

  @Param(oneOf('add', 'remove'))
  op!: 'add' | 'remove';

  @Param(text({ max: 100 }), { description: '`read`, `starred` or `collapsed`.' })
  flag!: string;
}

export class MarkChannelReadParams {
  @Param(integer({ min: 1 }))
  stream_id!: number;
}

export class MarkTopicReadParams extends MarkChannelReadParams {
  @Param(text({ max: 1000 }))
  topic_name!: string;
}

export class ChangeFlagsInNarrowParams {
  @Param(text({ max: 100 }), { description: 'A message ID, `newest`, `oldest` or `first_unread`.' })
  anchor!: string;

  @Param(boolean(), { default: true })
  include_anchor!: boolean;

  @Param(integer({ min: 0 }))
  num_before!: number;

  @Param(integer({ min: 0 }))
  num_after!: number;

  @Param(json(NarrowSchema, { lengthMax: NARROW_LENGTH_MAX }))
  narrow!: WireNarrow;

  @Param(oneOf('add', 'remove'))
  op!: 'add' | 'remove';

  @Param(text({ max: 100 }), { description: '`read`, `starred` or `collapsed`.' })
  flag!: string;
}
