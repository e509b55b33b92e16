import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { JsonFields } from '#feature';
import { Answers, ApiTags, Caller, OptionalAuth, Params, sendLateFields, Summary, WritesAnswer } from '#http';
import { Slices } from '#kernel';
import { callerOrSpectator, Directory } from '#people';
import { MaxMessageIdQuery } from '#reading';
import { integer, list, object } from '#wire';
import { Gravatar } from '../model/avatar.js';
import { isSpectator } from '../model/spectator.js';
import { mayKnowEmail } from '../model/email.access.js';
import type { User } from '../model/user.js';
import { CreateUserCommand } from '../commands/create-user.js';
import { GetUserQuery } from '../queries/get-user.js';
import { ListUsersQuery } from '../queries/list-users.js';
import {
  publicUser,
  ShownUserSchema,
  UserSchema,
  wireUser,
  type WireUser,
  type WireUserOptions,
} from '../wire-user.js';
import { CreateUserParams, FetchOwnUserParams, FetchUserParams, ListUsersParams } from './users.params.js';

/** Accounts (endpoints.md §9). */
@ApiTags('users')
@Controller('api/v1/users')
export class UsersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly directory: Directory,
    private readonly gravatar: Gravatar,
  ) {}

  @Get()
  @WritesAnswer(object({ members: list(ShownUserSchema) }))
  @Summary('List users', 'With bots and deactivated users.')
  @OptionalAuth()
  async list(
    @Caller() caller: User | undefined,
    @Params(ListUsersParams) params: ListUsersParams,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const viewer = callerOrSpectator(this.directory, caller);
    const users = await this.queries.execute(new ListUsersQuery(viewer, params.user_ids));
    const wire = isSpectator(viewer)
      ? publicUser
      : (user: User) => wireUser(user, this.#optionsOf(params, viewer, user));
    // There may be tens of thousands.
    const slices = new Slices();
    const members: string[] = [];
    for (const user of users) {
      if (slices.isOver) await slices.next();
      members.push(JSON.stringify(wire(user)));
    }
    await sendLateFields(reply, new JsonFields().addList('members', members).pieces());
  }

  @Post()
  @Answers(object({ user_id: integer }))
  @Summary('Create a user', 'For owners, and those to whom the operator gave it.')
  async create(
    @Caller() actor: User,
    @Params(CreateUserParams) params: CreateUserParams,
  ): Promise<{ user_id: number }> {
    const { email, full_name, password } = params;
    return { user_id: await this.commands.execute(new CreateUserCommand(actor, email, full_name, password)) };
  }

  /** The caller's own account, flat and not nested in `user`. */
  @Get('me')
  @Answers(object({ ...UserSchema.properties, max_message_id: integer }))
  @Summary("Show the caller's account", 'The fields of the user at the top.')
  async me(
    @Caller() viewer: User,
    @Params(FetchOwnUserParams) params: FetchOwnUserParams,
  ): Promise<WireUser & { max_message_id: number }> {
    const user = await this.queries.execute(new GetUserQuery(viewer, 'me'));
    const max_message_id = await this.queries.execute(new MaxMessageIdQuery(viewer));
    const clientGravatar = this.gravatar.isComputed(params.client_gravatar);
    const options = { clientGravatar, includeProfileFields: true, showsEmail: true };
    return { ...wireUser(user, options), max_message_id };
  }

  @Get(':user_id')
  @Answers(object({ user: UserSchema }))
  @Summary('Show a user', 'By ID or address.')
  async one(
    @Caller() viewer: User,
    @Param('user_id') idOrEmail: string,
    @Params(FetchUserParams) params: FetchUserParams,
  ): Promise<{ user: WireUser }> {
    const user = await this.queries.execute(new GetUserQuery(viewer, idOrEmail));
    return { user: wireUser(user, this.#optionsOf(params, viewer, user)) };
  }

  #optionsOf(params: FetchUserParams, viewer: User, user: User): WireUserOptions {
    return {
      clientGravatar: this.gravatar.isComputed(params.client_gravatar),
      includeProfileFields: params.include_custom_profile_fields,
      showsEmail: mayKnowEmail(viewer, user),
    };
  }
}
