import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary } from '#http';
import type { User } from '#users/model';
import { exact, integer, list, nullable, object, optional, truth, type Wire } from '#wire';
import { ChangeFlagsCommand, settableFlag } from './change-flags.js';
import { ChangeFlagsInNarrowCommand } from './change-flags-in-narrow.js';
import { MarkAllReadCommand, MarkChannelReadCommand, MarkTopicReadCommand } from './mark-read.js';
import { narrowTermsOf } from '../narrow/narrow-terms.js';
import { FETCHED_MAX } from '../narrow/narrowed-messages.js';
import {
  ChangeFlagsInNarrowParams,
  ChangeFlagsParams,
  MarkChannelReadParams,
  MarkTopicReadParams,
} from './flags.params.js';
import { windowOf } from '../fetch/window.js';

const NarrowFlaggedSchema = object({
  processed_count: integer,
  updated_count: integer,
  first_processed_id: nullable(integer),
  last_processed_id: nullable(integer),
  found_oldest: truth,
  found_newest: truth,
  ignored_because_not_subscribed_channels: optional(list(integer)),
});

/** Personal flags (endpoints.md §4). */
@ApiTags('messages')
@Controller('api/v1')
export class FlagsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('messages/flags')
  @Answers(object({ messages: list(integer), ignored_because_not_subscribed_channels: optional(list(integer)) }))
  @Summary('Change flags of messages', "The caller's own: read, starred and collapsed.")
  async change(
    @Caller() actor: User,
    @Params(ChangeFlagsParams) { messages, op, flag }: ChangeFlagsParams,
  ): Promise<{ messages: readonly number[]; ignored_because_not_subscribed_channels?: readonly number[] }> {
    const changed = await this.commands.execute(new ChangeFlagsCommand(actor, messages, op, settableFlag(flag)));
    if (op === 'add' || flag !== 'read') return { messages: changed.ids };
    return { messages: changed.ids, ignored_because_not_subscribed_channels: changed.ignoredChannelIds };
  }

  @Post('messages/flags/narrow')
  @Answers(NarrowFlaggedSchema)
  @Summary('Change flags of the messages in a narrow', 'A part at a time: go on from the last ID that was processed.')
  async changeInNarrow(
    @Caller() actor: User,
    @Params(ChangeFlagsInNarrowParams) params: ChangeFlagsInNarrowParams,
  ): Promise<Wire<typeof NarrowFlaggedSchema>> {
    const { op, flag, narrow, anchor, include_anchor, num_before, num_after } = params;
    // Clamped instead of refused; each side keeps at least half (endpoints.md §4).
    const before = Math.min(num_before, Math.max(FETCHED_MAX - num_after, FETCHED_MAX / 2));
    const after = Math.min(num_after, FETCHED_MAX - before);
    const window = windowOf({ anchor, include_anchor, num_before: before, num_after: after });
    const command = new ChangeFlagsInNarrowCommand(actor, narrowTermsOf(narrow), window, op, settableFlag(flag));
    const done = await this.commands.execute(command);
    return {
      processed_count: done.processedCount,
      updated_count: done.updatedCount,
      first_processed_id: done.firstProcessedId,
      last_processed_id: done.lastProcessedId,
      found_oldest: done.foundOldest,
      found_newest: done.foundNewest,
      ignored_because_not_subscribed_channels: op === 'remove' && flag === 'read' ? done.ignoredChannelIds : undefined,
    };
  }

  @Post('mark_all_as_read')
  @Answers(object({ complete: exact(true) }))
  @Summary('Mark all messages as read', 'For the caller.')
  async all(@Caller() actor: User): Promise<{ complete: true }> {
    await this.commands.execute(new MarkAllReadCommand(actor));
    return { complete: true };
  }

  @Post('mark_stream_as_read')
  @Answers()
  @Summary('Mark a channel as read', 'For the caller.')
  async channel(
    @Caller() actor: User,
    @Params(MarkChannelReadParams) { stream_id }: MarkChannelReadParams,
  ): Promise<void> {
    await this.commands.execute(new MarkChannelReadCommand(actor, stream_id));
  }

  @Post('mark_topic_as_read')
  @Answers()
  @Summary('Mark a topic as read', 'For the caller.')
  async topic(
    @Caller() actor: User,
    @Params(MarkTopicReadParams) { stream_id, topic_name }: MarkTopicReadParams,
  ): Promise<void> {
    await this.commands.execute(new MarkTopicReadCommand(actor, stream_id, topic_name));
  }
}
