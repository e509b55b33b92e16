import { Controller, Get, Post } from '@nestjs/common';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { Clock } from '#kernel';
import { assertOwner, type User } from '#users/model';
import { RetentionSwitch } from '#realm/model';
import { BackgroundRunner } from '#read-store';
import { described, integer, list, nullable, object, text, truth, type Wire } from '#wire';
import { DueMessages } from './due-messages.js';
import { Retention } from './retention.js';
import { RetentionParams } from './retention.params.js';
import { expiredUntil } from './retention-policy.js';

const RetentionSchema = object({
  is_on: described(truth, 'Whether the server removes messages.'),
  why_off: described(nullable(text), 'Why it does not.'),
  removed: described(integer, 'Messages removed by this process since its start.'),
  policies: described(
    list(
      object({
        channel_id: described(nullable(integer), 'null: direct messages.'),
        channel: described(nullable(text), 'Its name.'),
        days: integer,
        set_by: described(text, 'Whose setting it is: `channel` or `organization`.'),
        until: described(integer, 'What was sent then or before has been kept long enough. UNIX seconds.'),
        messages: described(integer, 'Whose time is over: a removal would remove them. 1,000,000 at most.'),
        with_files: described(integer, 'Those of them that refer to uploaded files.'),
      }),
    ),
    'By channel ID, direct messages last. What no page names is kept forever.',
  ),
  is_last: described(truth, 'false: more come after the last channel of this page.'),
});

/** How long messages are kept, and what would be or is removed. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/retention')
export class RetentionController {
  constructor(
    private readonly retention: Retention,
    private readonly setting: RetentionSwitch,
    private readonly due: DueMessages,
    private readonly background: BackgroundRunner,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Answers(RetentionSchema)
  @Summary(
    'Show the retention of messages',
    'A page of channels: how long messages are kept, and how many would be removed now. Removes nothing. For the operator and owners.',
  )
  async show(
    @Caller() caller: User,
    @Params(RetentionParams) params: RetentionParams,
  ): Promise<Wire<typeof RetentionSchema>> {
    assertOwner(caller);
    const { rows, isLast } = await this.due.counts(params);
    const { isOn, whyOff = null } = this.setting;
    return {
      is_on: isOn,
      why_off: whyOff,
      removed: this.retention.removed,
      policies: rows.map(({ channel, policy, messages, withFiles }) => ({
        channel_id: channel?.channelId ?? null,
        channel: channel?.name ?? null,
        days: policy.days,
        set_by: policy.of,
        until: expiredUntil(policy, this.clock.nowSeconds()),
        messages,
        with_files: withFiles,
      })),
      is_last: isLast,
    };
  }

  @Post()
  @Answers(object({ removed: described(integer, 'Messages removed by this process meanwhile.') }))
  @Summary(
    'Remove messages whose time is over',
    'At once, instead of within half a minute; answers when they are removed. For the operator and owners.',
  )
  async carryOut(@Caller() caller: User): Promise<{ removed: number }> {
    assertOwner(caller);
    this.retention.assertOn();
    const before = this.retention.removed;
    await this.background.turn(this.retention);
    return { removed: this.retention.removed - before };
  }
}
