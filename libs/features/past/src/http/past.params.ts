import { boolean, integer, json, Param, text } from '#http';
import { DIRECT_RECIPIENTS_MAX, TOPIC_LENGTH_MAX } from '#messages';
import { ArrayMaxSize, IsArray, IsInt, Max, MaxCharacters, Min } from '#validation';

const MESSAGES_MAX = 500;
/** Far beyond all clocks. */
const TIME_MAX = 1e12;

export class PlaceParams {
  @Param(integer(), { optional: true, description: 'Channel of the topic.' })
  @Min(0)
  stream_id?: number;

  @Param(text(), { optional: true, description: 'The topic, resolved or not.' })
  @MaxCharacters(10 * TOPIC_LENGTH_MAX)
  topic?: string;

  @Param(json(), { optional: true, description: 'Instead of a topic: the others of a direct conversation.' })
  @IsArray()
  @ArrayMaxSize(DIRECT_RECIPIENTS_MAX)
  @IsInt({ each: true })
  @Min(1, { each: true })
  user_ids?: number[];
}

export class PastMessagesParams extends PlaceParams {
  @Param(integer(), { description: 'Seconds since the epoch: what happened within that second is in it.' })
  @Min(0)
  @Max(TIME_MAX)
  as_of!: number;

  @Param(integer(), { optional: true, description: 'Only messages with lower IDs: `before` of the page after it.' })
  @Min(1)
  before?: number;

  @Param(integer(), { default: 100, description: 'Messages of one answer at most, up to 500.' })
  @Min(1)
  @Max(MESSAGES_MAX)
  limit!: number;

  @Param(boolean(), { default: true, description: 'HTML, or else the Markdown source.' })
  apply_markdown!: boolean;

  @Param(boolean(), { default: true, description: 'The client computes avatar addresses itself.' })
  client_gravatar!: boolean;

  @Param(boolean(), { default: false, description: 'The client knows the empty topic.' })
  allow_empty_topic_name!: boolean;
}

export class SinceParams {
  @Param(integer(), { description: 'Seconds since the epoch, at most seven days ago.' })
  @Min(0)
  @Max(TIME_MAX)
  time!: number;

  @Param(boolean(), { default: false, description: 'The client knows the empty topic.' })
  allow_empty_topic_name!: boolean;
}
