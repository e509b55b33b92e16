import { boolean, integer, json, Param, Shape, text } from '#http';
import { ArrayMaxSize, IsArray, IsInt, MaxCharacters, Min } from '#validation';
import { FETCHED_MAX } from '../narrow/narrowed-messages.js';
import { NARROW_LENGTH_MAX, NarrowSchema, type WireNarrow } from '../narrow/narrow-terms.js';

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
  @Param(text(), {
    optional: true,
    description: 'A message ID, `newest`, `oldest` or `first_unread`.',
  })
  @MaxCharacters(100)
  anchor?: string;

  @Param(boolean(), { optional: true, description: 'The older spelling of the anchor `first_unread`.' })
  use_first_unread_anchor?: boolean;

  @Param(boolean(), { default: true })
  include_anchor!: boolean;

  @Param(integer(), { optional: true })
  @Min(0)
  num_before?: number;

  @Param(integer(), { optional: true })
  @Min(0)
  num_after?: number;

  @Param(json(), {
    optional: true,
    description: 'These messages instead of a window around an anchor.',
  })
  @IsArray()
  @ArrayMaxSize(FETCHED_MAX)
  @IsInt({ each: true })
  @Min(0, { each: true })
  message_ids?: number[];

  @Param(json({ lengthMax: NARROW_LENGTH_MAX }), {
    default: [],
    description:
      'Terms, all of which must hold. `negated` turns one around, but for `near`, `with` and `in`: it does nothing to them.',
  })
  @Shape(NarrowSchema)
  narrow!: WireNarrow;
}

export class MatchMessagesParams {
  @Param(json())
  @IsArray()
  @ArrayMaxSize(FETCHED_MAX)
  @IsInt({ each: true })
  @Min(0, { each: true })
  msg_ids!: number[];

  @Param(json({ lengthMax: NARROW_LENGTH_MAX }))
  @Shape(NarrowSchema)
  narrow!: WireNarrow;
}

export class RenderContentParams {
  @Param(text(), { description: 'Markdown.' })
  content!: string;
}
