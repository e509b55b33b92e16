import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, IgnoredParams, Params, PathId, Summary } from '#http';
import { badRequest, excerpt } from '#kernel';
import { ascending } from '#groups/model';
import { Directory, mayKnowUser } from '#people';
import { RetentionSwitch, Site } from '#realm/model';
import { ROLE, type User } from '#users/model';
import { described, integer, list, object, optional, text, truth } from '#wire';
import { accessChannelMetadata, mayKnowChannel } from '../model/channels/channel.access.js';
import { CreateChannelCommand } from '../commands/create-channel.js';
import { channelAddress } from '../queries/channel-address.js';
import { ListChannelsQuery } from '../queries/list-channels.js';
import { ChannelSchema, wireChannel, type WireChannel } from '../wire-channel.js';
import {
  ChannelAddressParams,
  ChannelIdByNameParams,
  CreateChannelParams,
  ListChannelsParams,
} from './channels.params.js';
import { newChannelSettings } from './new-channel-settings.js';

const ListedChannelSchema = object({
  ...ChannelSchema.properties,
  is_default: described(optional(truth), 'With include_default.'),
});

/** Channels (endpoints.md §8). */
@ApiTags('channels')
@Controller('api/v1')
export class ChannelsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly retention: RetentionSwitch,
  ) {}

  @Get('streams')
  @Answers(object({ streams: list(ListedChannelSchema) }))
  @Summary('List channels', 'Those that any of the parameters includes, among the channels that the caller may know.')
  async list(
    @Caller() viewer: User,
    @Params(ListChannelsParams) params: ListChannelsParams,
  ): Promise<{ streams: (WireChannel & { is_default?: boolean })[] }> {
    if (params.include_all_active && viewer.role > ROLE.administrator)
      throw badRequest('User not authorized for this query');
    const selection = {
      includePublic: params.include_public,
      includeWebPublic: params.include_web_public,
      includeSubscribed: params.include_subscribed,
      excludeArchived: params.exclude_archived,
      includeAll: params.include_all || params.include_all_active,
      includeDefault: params.include_default,
      includeOwnerSubscribed: params.include_owner_subscribed,
      includeCanAccessContent: params.include_can_access_content,
    };
    const channels = await this.queries.execute(new ListChannelsQuery(viewer, selection));
    return {
      streams: channels.map((channel) => ({
        ...wireChannel(this.directory, channel),
        ...(params.include_default ? { is_default: channel.isDefault } : {}),
      })),
    };
  }

  @Post('channels/create')
  @Answers(object({ id: integer }))
  @Summary('Create a channel', 'With its first subscribers. A name in use is refused.')
  async create(
    @Caller() actor: User,
    @Params(CreateChannelParams) params: CreateChannelParams,
    @IgnoredParams() ignores: IgnoredParams,
  ): Promise<{ id: number }> {
    const { name, description, subscribers: subscriberIds } = params;
    const asked = { actor, channel: { name, description }, subscriberIds, settings: newChannelSettings(params) };
    const notices = { announce: params.announce, tellSubscribers: params.send_new_subscription_messages };
    const id = await this.commands.execute(new CreateChannelCommand({ ...asked, notices }));
    this.retention.tell(params.message_retention_days, ignores);
    return { id };
  }

  @Get('get_stream_id')
  @Answers(object({ stream_id: integer }))
  @Summary('Find a channel by its name', 'Among those that the caller may know.')
  idByName(
    @Caller() viewer: User,
    @Params(ChannelIdByNameParams) { stream }: ChannelIdByNameParams,
  ): { stream_id: number } {
    const channel = this.directory.channelByName(stream.trim());
    if (channel === undefined || !mayKnowChannel(this.directory, viewer, channel)) {
      throw badRequest(`Invalid channel name '${excerpt(stream, 60)}'`);
    }
    return { stream_id: channel.channelId };
  }

  @Get('streams/:stream_id')
  @Answers(object({ stream: ChannelSchema }))
  @Summary('Show a channel', 'One that the caller may know.')
  one(@Caller() viewer: User, @PathId('stream_id') channelId: number): { stream: WireChannel } {
    return { stream: wireChannel(this.directory, accessChannelMetadata(this.directory, viewer, channelId)) };
  }

  @Get('streams/:stream_id/email_address')
  @Answers(object({ email: text }))
  @Summary('Show the mail address of a channel', 'For those who may send to it.')
  address(
    @Caller() viewer: User,
    @PathId('stream_id') channelId: number,
    @Params(ChannelAddressParams) { sender_id: senderId }: ChannelAddressParams,
  ): { email: string } {
    const host = new URL(this.site.url).hostname;
    return { email: channelAddress(this.directory, viewer, channelId, { senderId, host }) };
  }

  @Get('streams/:stream_id/members')
  @Answers(object({ subscribers: list(integer) }))
  @Summary('List the subscribers of a channel', 'Their IDs, for those who may know them.')
  members(@Caller() viewer: User, @PathId('stream_id') channelId: number): { subscribers: readonly number[] } {
    return {
      subscribers: this.directory.subscriberIds(accessChannelMetadata(this.directory, viewer, channelId).channelId),
    };
  }

  /** Of another user, only for administrators and the owner of a bot; others are refused as for an unknown user. */
  @Get('users/:user_id/channels')
  @Answers(object({ subscribed_channel_ids: list(integer) }))
  @Summary('List the channels of a user', 'For the user and administrators.')
  channelsOf(@Caller() viewer: User, @PathId('user_id') userId: number): { subscribed_channel_ids: number[] } {
    const isOwn = userId === viewer.userId || this.directory.user(userId)?.botOwnerId === viewer.userId;
    if (!isOwn && viewer.role > ROLE.administrator) throw badRequest('Insufficient permission');
    if (this.directory.user(userId) === undefined) throw badRequest('No such user');
    const subscribed: number[] = [];
    for (const { channelId, active } of this.directory.subscriptionsOf(userId)) {
      const channel = this.directory.channel(channelId);
      if (!active || channel === undefined || channel.isArchived) continue;
      if (mayKnowChannel(this.directory, viewer, channel)) subscribed.push(channelId);
    }
    return { subscribed_channel_ids: ascending(subscribed) };
  }

  @Get('users/:user_id/subscriptions/:stream_id')
  @Answers(object({ is_subscribed: truth }))
  @Summary('Say whether a user subscribes to a channel', "For those who may know the channel's subscribers.")
  isSubscribed(
    @Caller() viewer: User,
    @PathId('user_id') userId: number,
    @PathId('stream_id') channelId: number,
  ): { is_subscribed: boolean } {
    const user = this.directory.user(userId);
    if (user === undefined || !mayKnowUser(this.directory, viewer, user)) throw badRequest('No such user');
    accessChannelMetadata(this.directory, viewer, channelId);
    return { is_subscribed: this.directory.isSubscribed(userId, channelId) };
  }
}
