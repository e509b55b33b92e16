import { Controller, Delete, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, IgnoredParams, Params, PathId, Summary } from '#http';
import type { GroupSettingUpdate } from '#groups/model';
import { RetentionSwitch } from '#realm/model';
import type { User } from '#users/model';
import { CHANNEL_PERMISSION_NAMES, type ChannelPermission } from '../model/channels/channel-permissions.js';
import { retentionDays } from '../http/retention-days.js';
import { ArchiveChannelCommand, ChangeChannelCommand } from './change-channel.js';
import { ChangeChannelParams } from './change-channel.params.js';

/** Changing and archiving a channel (endpoints.md §8). */
@ApiTags('channels')
@Controller('api/v1/streams/:stream_id')
export class ChangeChannelController {
  constructor(
    private readonly commands: CommandBus,
    private readonly retention: RetentionSwitch,
  ) {}

  @Patch()
  @Answers()
  @Summary(
    'Change a channel',
    "Name, description, privacy, settings and permissions. For the channel's administrators; all of it or nothing.",
  )
  async change(
    @Caller() actor: User,
    @PathId('stream_id') channelId: number,
    @Params(ChangeChannelParams) params: ChangeChannelParams,
    @IgnoredParams() ignores: IgnoredParams,
  ): Promise<void> {
    const permissions: Partial<Record<ChannelPermission, GroupSettingUpdate>> = {};
    for (const name of CHANNEL_PERMISSION_NAMES) if (params[name] !== undefined) permissions[name] = params[name];
    const asked = {
      actor,
      channelId,
      name: params.new_name,
      description: params.description,
      isPrivate: params.is_private,
      isWebPublic: params.is_web_public,
      historyPublicToSubscribers: params.history_public_to_subscribers,
      isDefault: params.is_default_stream,
      isArchived: params.is_archived,
      messageRetentionDays:
        params.message_retention_days === undefined ? undefined : retentionDays(params.message_retention_days),
      folderId: params.folder_id,
      topicsPolicy: params.topics_policy,
      permissions,
    };
    await this.commands.execute(new ChangeChannelCommand(asked));
    this.retention.tell(asked.messageRetentionDays, ignores);
  }

  @Delete()
  @Answers()
  @Summary('Archive a channel', "For the channel's administrators. Its messages stay readable.")
  async archive(@Caller() actor: User, @PathId('stream_id') channelId: number): Promise<void> {
    await this.commands.execute(new ArchiveChannelCommand({ actor, channelId }));
  }
}
