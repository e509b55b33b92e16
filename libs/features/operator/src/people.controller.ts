import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { addressesIn, ChangeInvitationsCommand } from '#invitations';
import { badRequest } from '#kernel';
import { QuietServer } from '#realm/model';
import { assertOwner, ROLE, type User } from '#users/model';
import { Directory } from '#people';
import { OfferPasswordResetCommand, RunAccountCommand } from '#users';
import { described, integer, list, named, nullable, object, text, truth, type Wire } from '#wire';
import { IS_QUIET } from './is-quiet.js';
import {
  OfferResetParams,
  OperatorDeactivateParams,
  OperatorInviteParams,
  PageParams,
  RoleParams,
} from './operator.params.js';
import { pageAfter } from './page.js';

/** How long an invitation of the operator lasts. */
const INVITED_FOR_MINUTES = 14_400;

/** An account, as the operator sees it. */
const OperatorUserSchema = named(
  'OperatorUser',
  object({
    user_id: integer,
    full_name: text,
    email: text,
    role: text,
    is_active: truth,
    is_bot: truth,
    bot_owner_id: nullable(integer),
    joined_at: described(integer, 'Seconds since the epoch.'),
    has_password: truth,
  }),
);
type OperatorUser = Wire<typeof OperatorUserSchema>;

/** Accounts. What is done with them is what administrators do, by the same rules. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator')
export class PeopleController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
    private readonly server: QuietServer,
  ) {}

  @Get('users')
  @Answers(object({ users: list(OperatorUserSchema), is_last: truth }))
  @Summary('List accounts', 'A page of them, by ID. For the operator and owners.')
  list(@Caller() caller: User, @Params(PageParams) params: PageParams): { users: OperatorUser[]; is_last: boolean } {
    assertOwner(caller);
    const people = [...this.directory.users()].filter(({ systemBot }) => systemBot === undefined);
    const { rows, isLast } = pageAfter(people, ({ userId }) => userId, params);
    return { users: rows.map(rowOf), is_last: isLast };
  }

  @Get('users/:user')
  @Answers(object({ user: OperatorUserSchema }))
  @Summary('Show an account', 'By ID or address. For the operator and owners.')
  show(@Caller() caller: User, @Param('user') idOrEmail: string): { user: OperatorUser } {
    assertOwner(caller);
    return { user: rowOf(this.#find(idOrEmail)) };
  }

  @Post('users/:user/role')
  @Answers()
  @Summary('Change the role of an account', 'By the rules for administrators. For the operator and owners.')
  async changeRole(
    @Caller() caller: User,
    @Param('user') idOrEmail: string,
    @Params(RoleParams) { role }: RoleParams,
  ): Promise<void> {
    assertOwner(caller);
    const { userId } = this.#find(idOrEmail);
    const asked = { actorId: caller.userId, userId, role: ROLE[role] };
    await this.commands.execute(new RunAccountCommand(caller, { type: 'change-user', ...asked }));
  }

  @Post('users/:user/deactivate')
  @Answers()
  @Summary('Deactivate an account', 'By the rules for administrators. For the operator and owners.')
  async deactivate(
    @Caller() caller: User,
    @Param('user') idOrEmail: string,
    @Params(OperatorDeactivateParams) { comment }: OperatorDeactivateParams,
  ): Promise<void> {
    assertOwner(caller);
    const { userId } = this.#find(idOrEmail);
    const asked = { actorId: caller.userId, userId, comment };
    await this.commands.execute(new RunAccountCommand(caller, { type: 'deactivate-user', ...asked }));
  }

  @Post('users/:user/reset-password')
  @Answers(object({ link: nullable(text), is_quiet: IS_QUIET }))
  @Summary('Offer a new password', 'Answers with the link, unless it is sent by mail. For the operator and owners.')
  async resetPassword(
    @Caller() caller: User,
    @Param('user') idOrEmail: string,
    @Params(OfferResetParams) { mail }: OfferResetParams,
  ): Promise<{ link: string | null; is_quiet: boolean }> {
    assertOwner(caller);
    const { userId } = this.#find(idOrEmail);
    const link = (await this.commands.execute(new OfferPasswordResetCommand(caller, userId, mail))) ?? null;
    return { link, is_quiet: this.server.isQuiet };
  }

  @Post('invitations')
  @Answers(object({ invited: integer, is_quiet: IS_QUIET }))
  @Summary('Invite people', 'By mail. For the operator and owners.')
  async invite(
    @Caller() caller: User,
    @Params(OperatorInviteParams) { emails, role }: OperatorInviteParams,
  ): Promise<{ invited: number; is_quiet: boolean }> {
    assertOwner(caller);
    const terms = {
      role: ROLE[role],
      channelIds: [],
      groupIds: [],
      includesDefaults: true,
      welcome: null,
      expiresInMinutes: INVITED_FOR_MINUTES,
    };
    const asked = { actorId: caller.userId, addresses: addressesIn(emails), notifiesInviter: false, terms };
    const [sent] = await this.commands.execute(
      new ChangeInvitationsCommand(caller, { type: 'send-invitations', ...asked }),
    );
    const invited = sent?.type === 'invitations.sent.v1' ? sent.data.invitations.length : 0;
    return { invited, is_quiet: this.server.isQuiet };
  }

  /** By ID or by address, which the operator may know. @throws Refusal BAD_REQUEST */
  #find(idOrEmail: string): User {
    const user = /^\d{1,15}$/.test(idOrEmail)
      ? this.directory.user(Number(idOrEmail))
      : this.directory.userByEmail(idOrEmail);
    if (user === undefined || user.systemBot !== undefined) throw badRequest('No such user');
    return user;
  }
}

function rowOf(user: User): OperatorUser {
  return {
    user_id: user.userId,
    full_name: user.fullName,
    email: user.email,
    role: roleName(user.role),
    is_active: user.isActive,
    is_bot: user.botType !== null,
    bot_owner_id: user.botOwnerId,
    joined_at: user.joinedAt,
    has_password: user.passwordHash !== undefined,
  };
}

function roleName(role: number): string {
  return Object.entries(ROLE).find(([, value]) => value === role)?.[0] ?? String(role);
}
