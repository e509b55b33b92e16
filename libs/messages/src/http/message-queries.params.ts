import { Type } from 'typebox';
import { boolean, integer, json, Param, text } from '#http';
import { FETCHED_MAX } from '../queries/narrowed-messages.js';
import { NARROW_LENGTH_MAX, NarrowSchema, type WireNarrow } from '../queries/narrow/narrow-terms.js';

export class AllowEmptyTopicParams {
  @Param(boolean(), { default: false, description: 'The client knows the empty topic.' })
  allow_empty_topic_name!: boolean;
}

export class FetchMessageParams extends AllowEmptyTopicParams {
  @Param(boolean(), { default: true, description: 'HTML, or else the Markdown source.' })
  apply_markdown!: boolean;

  @Param(boolean(), {
    aliases: ['client_extavatar'],
    default: true,
    description: 'The client computes avatar addresses itself.',
  })
  client_gravatar!: boolean;
}

export class FetchMessagesParams extends FetchMessageParams {
  @Param(text({ max: 100 }), {
    optional: true,
    description: 'A message ID, `newest`, `oldest` or `first_unread`.',
  })
  anchor?: string;

  @Param(boolean(), { optional: true, description: 'The older spelling of the anchor `first_unread`.' })
  use_first_unread_anchor?: boolean;

  @Param(boolean(), { default: true })
  include_anchor!: boolean;

  @Param(integer({ min: 0 }), { optional: true })
  num_before?: number;

  @Param(integer({ min: 0 }), { optional: true })
  num_after?: number;

  @Param(json(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: FETCHED_MAX })), {
    optional: true,
    description: 'These messages instead of a window around an anchor.',
  })
  message_ids?: number[];

  @Param(json(NarrowSchema, { lengthMax: NARROW_LENGTH_MAX }), {
    default: [],
    description:
      'Terms, all of which must hold. `negated` turns one around, but for `near`, `with` and `in`: it does nothing to them.',
  })
  narrow!: WireNarrow;
}

export class MatchMessagesParams {
  @Param(json(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: FETCHED_MAX })))
  msg_ids!: number[];

  @Param(json(NarrowSchema, { lengthMax: NARROW_LENGTH_MAX }))
  narrow!: WireNarrow;
}

export class RenderContentParams {
  @Param(text(), { description: 'Markdown.' })
  content!: string;
}
