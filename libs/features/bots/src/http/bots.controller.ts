import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Files, Params, PathId, type SmallFiles, Summary, TakesSmallFiles } from '#http';
import { originFrom } from '#kernel';
import { apiEmail, avatarAddress, type User } from '#users/model';
import { Directory } from '#people';
import { LIMITS, Site } from '#realm/model';
import { MIB_BYTES } from '#pictures';
import { ApiKeys, newBotSecrets } from '#users';
import { UseLog } from '#uses';
import { integer, list, map, nullable, object, optional, text, type Wire } from '#wire';
import { assertOwnsBots } from '../bots.access.js';
import { ListBotsQuery } from '../list-bots.js';
import { RunBotCommand } from '../run-bot-command.js';
import { DEFAULT_CHANNEL_FIELDS, defaultChannels, keyOf } from '../wire-bot.js';
import { ChangeBotParams, CreateBotParams } from './bots.params.js';
import { botsPart } from '../model/bots.part.js';

const OwnBotsSchema = object({
  bots: list(object({ username: text, full_name: text, api_key: text, avatar_url: text, ...DEFAULT_CHANNEL_FIELDS })),
});

const CreatedBotSchema = object({ user_id: integer, api_key: text, avatar_url: text, ...DEFAULT_CHANNEL_FIELDS });

const ChangedBotSchema = object({
  full_name: text,
  avatar_url: text,
  service_interface: nullable(integer),
  service_payload_url: nullable(text),
  config_data: map(text),
  ...DEFAULT_CHANNEL_FIELDS,
  bot_owner: optional(text),
});

/** Bots (endpoints.md §9). */
@ApiTags('bots')
@Controller('api/v1/bots')
export class BotsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: Directory,
    private readonly apiKeys: ApiKeys,
    private readonly site: Site,
    private readonly uses: UseLog,
  ) {}

  @Get()
  @Answers(OwnBotsSchema)
  @Summary("List the caller's bots", 'The bots that the caller owns, with their API keys.')
  async list(@Caller() viewer: User): Promise<Wire<typeof OwnBotsSchema>> {
    const bots = await this.queries.execute(new ListBotsQuery(viewer));
    const origin = originFrom(viewer);
    for (const { userId, apiKey } of bots)
      this.uses.note({ kind: 'key-seen', userId, key: apiKey?.generation ?? 1, origin });
    return {
      bots: bots.map((bot) => ({
        username: bot.email,
        full_name: bot.fullName,
        api_key: keyOf(this.apiKeys, bot),
        avatar_url: avatarAddress(bot),
        ...defaultChannels(this.directory, bot.userId),
      })),
    };
  }

  @Post()
  @Answers(CreatedBotSchema)
  @Summary('Create a bot', 'A picture may come as a file. Limited by the permission to create bots.')
  @TakesSmallFiles(LIMITS.max_avatar_file_size_mib * MIB_BYTES)
  async create(
    @Caller() actor: User,
    @Params(CreateBotParams) params: CreateBotParams,
    @Files() files: SmallFiles,
  ): Promise<Wire<typeof CreatedBotSchema>> {
    const { apiKeyHash, serviceToken } = newBotSecrets(this.apiKeys);
    const events = await this.commands.execute(
      new RunBotCommand(
        actor,
        {
          type: 'create-bot',
          actorId: actor.userId,
          fullName: params.full_name,
          shortName: params.short_name,
          botType: params.bot_type,
          domain: new URL(this.site.url).hostname,
          service: {
            name: params.service_name ?? params.short_name,
            url: params.payload_url,
            interface: params.interface_type,
            token: serviceToken,
          },
          apiKeyHash: (userId) => apiKeyHash(userId, 1),
          ...settingsOf(params),
        },
        pictureAmong(files),
      ),
    );
    const created = events.find((event) => event.type === 'user.created.v1');
    if (created === undefined) throw new Error('A bot was accepted and not created.');
    const bot = this.#existing(created.data.userId);
    return {
      user_id: bot.userId,
      api_key: keyOf(this.apiKeys, bot),
      avatar_url: avatarAddress(bot),
      ...defaultChannels(this.directory, bot.userId),
    };
  }

  @Patch(':bot_id')
  @Answers(ChangedBotSchema)
  @Summary('Change a bot', 'For its owner and administrators. A picture may come as a file.')
  @TakesSmallFiles(LIMITS.max_avatar_file_size_mib * MIB_BYTES)
  async change(
    @Caller() actor: User,
    @PathId('bot_id') botId: number,
    @Params(ChangeBotParams) params: ChangeBotParams,
    @Files() files: SmallFiles,
  ): Promise<Wire<typeof ChangedBotSchema>> {
    assertOwnsBots(actor);
    await this.commands.execute(
      new RunBotCommand(
        actor,
        {
          type: 'change-bot',
          actorId: actor.userId,
          botId,
          fullName: params.full_name,
          role: params.role,
          ownerId: params.bot_owner_id,
          serviceUrl: params.service_payload_url,
          serviceInterface: params.service_interface,
          secrets: newBotSecrets(this.apiKeys),
          ...settingsOf(params),
        },
        pictureAmong(files),
      ),
    );
    const bot = this.#existing(botId);
    const { service, config } = this.directory.of(botsPart).get(botId);
    const owner = params.bot_owner_id === undefined ? undefined : this.directory.user(params.bot_owner_id);
    return {
      full_name: bot.fullName,
      avatar_url: avatarAddress(bot),
      service_interface: service?.interface ?? null,
      service_payload_url: service?.url ?? null,
      config_data: config,
      ...defaultChannels(this.directory, botId),
      ...(owner === undefined ? undefined : { bot_owner: apiEmail(owner) }),
    };
  }

  @Delete(':bot_id')
  @Answers()
  @Summary('Deactivate a bot', 'For its owner and administrators. Its key stops to work.')
  async deactivate(@Caller() actor: User, @PathId('bot_id') botId: number): Promise<void> {
    assertOwnsBots(actor);
    await this.commands.execute(new RunBotCommand(actor, { type: 'deactivate-bot', actorId: actor.userId, botId }));
  }

  @Post(':bot_id/api_key/regenerate')
  @Answers(object({ api_key: text }))
  @Summary('Make a new API key for a bot', 'The former key stops to work at once.')
  async regenerateKey(@Caller() actor: User, @PathId('bot_id') botId: number): Promise<{ api_key: string }> {
    assertOwnsBots(actor);
    const { apiKeyHash } = newBotSecrets(this.apiKeys);
    const asked = { type: 'regenerate-bot-key', actorId: actor.userId, botId, apiKeyHash } as const;
    await this.commands.execute(new RunBotCommand(actor, asked));
    return { api_key: keyOf(this.apiKeys, this.#existing(botId)) };
  }

  #existing(userId: number): User {
    const user = this.directory.user(userId);
    if (user === undefined) throw new Error(`There is no user ${userId}.`);
    return user;
  }
}

function pictureAmong(files: SmallFiles): Buffer | undefined {
  return files.atMostOne('You may only upload one file at a time')?.bytes;
}

function settingsOf(params: CreateBotParams | ChangeBotParams) {
  return {
    sendsTo: params.default_sending_stream,
    listensTo: params.default_events_register_stream,
    listensToAll: params.default_all_public_streams,
    config: params.config_data,
  };
}
