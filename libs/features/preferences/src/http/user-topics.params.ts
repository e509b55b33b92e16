import { integer, Param, text } from '#http';
import { TOPIC_LENGTH_MAX } from '#messages';
import { IsIn, MaxCharacters } from '#validation';

export class UserTopicParams {
  @Param(integer())
  stream_id!: number;

  /** Not cut as that of a message is: the policy would be that of another topic. */
  @Param(text())
  @MaxCharacters(TOPIC_LENGTH_MAX)
  topic!: string;

  @Param(integer(), { description: '0 none of its own, 1 muted, 2 unmuted, 3 followed.' })
  @IsIn([0, 1, 2, 3])
  visibility_policy!: 0 | 1 | 2 | 3;
}

export class MutedTopicsParams {
  @Param(integer(), { optional: true })
  stream_id?: number;

  @Param(text(), { optional: true, description: 'Name of the channel, instead of its ID.' })
  stream?: string;

  @Param(text())
  @MaxCharacters(TOPIC_LENGTH_MAX)
  topic!: string;

  @Param(text())
  @IsIn(['add', 'remove'])
  op!: 'add' | 'remove';
}
