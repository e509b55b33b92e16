import { integer, oneOf, Param, text } from '#http';

export class UserTopicParams {
  @Param(integer())
  stream_id!: number;

  @Param(text())
  topic!: string;

  @Param(oneOf(0, 1, 2, 3), { description: '0 none of its own, 1 muted, 2 unmuted, 3 followed.' })
  visibility_policy!: 0 | 1 | 2 | 3;
}

export class MutedTopicsParams {
  @Param(integer(), { optional: true })
  stream_id?: number;

  @Param(text(), { optional: true, description: 'Name of the channel, instead of its ID.' })
  stream?: string;

  @Param(text())
  topic!: string;

  @Param(oneOf('add', 'remove'))
  op!: 'add' | 'remove';
}
