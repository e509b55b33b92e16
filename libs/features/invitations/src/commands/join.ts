import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner, streams } from '#event-store';
import { FollowUps } from '#follow-ups';
import { Clock, Refusal } from '#kernel';
import { Directory, type User } from '#organization';
import { deadLink } from '#pages';
import { ApiKeys, checkFullName, isTimezone, Passwords } from '#users';
import { decideAccept } from '../accept.decider.js';
import { complaintOf } from '../invitees.js';
import { type Entrance, Entrances } from '../entrances.js';

/** What the visitor of the page has filled in. */
export interface JoinForm {
  readonly key: string;
  readonly email: string;
  readonly fullName: string;
  readonly password: string;
  /** Ignored unless it is an IANA name. */
  readonly timezone: string;
}

/** Why the form was not accepted, by its fields; `form` for what concerns no single one. */
export type JoinErrors = Partial<Record<'email' | 'full_name' | 'password' | 'form', string>>;

/** The new account, or why it was not made. */
export type Joined =
  { readonly user: User } | { readonly user?: undefined; readonly entrance: Entrance; readonly errors: JoinErrors };

/** Makes the account of somebody who joins by an invitation. */
export class JoinCommand extends Command<Joined> {
  constructor(readonly form: JoinForm) {
    super();
  }
}

/** @throws Refusal NOT_FOUND for a link that does not work */
@CommandHandler(JoinCommand)
export class JoinHandler implements ICommandHandler<JoinCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly entrances: Entrances,
    private readonly passwords: Passwords,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
    private readonly followUps: FollowUps,
  ) {}

  async execute({ form }: JoinCommand): Promise<Joined> {
    const at = this.clock.nowSeconds();
    const entrance = this.entrances.toForm(form.key, at);
    if (entrance === undefined) throw deadLink();
    const email = entrance.email ?? form.email.trim();
    const errors = this.#errorsIn(form, email, entrance);
    if (Object.keys(errors).length > 0) return { entrance, errors };
    try {
      return { user: await this.#join(entrance, { ...form, email }, at) };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'BAD_REQUEST') throw error;
      return { entrance, errors: { form: error.message } };
    }
  }

  #errorsIn({ fullName, password }: JoinForm, email: string, entrance: Entrance): JoinErrors {
    const address = entrance.email === undefined ? complaintOf(this.directory, email) : undefined;
    const name = complaint(() => checkFullName(fullName));
    const secret = complaint(() => {
      this.passwords.assertStrong(password, [email, fullName]);
    });
    return {
      ...(address === undefined ? undefined : { email: address }),
      ...(name === undefined ? undefined : { full_name: name }),
      ...(secret === undefined ? undefined : { password: secret }),
    };
  }

  async #join({ invitationId }: Entrance, form: JoinForm, at: number): Promise<User> {
    const { email, fullName } = form;
    const timezone = isTimezone(form.timezone) ? form.timezone : '';
    const passwordHash = await this.passwords.hash(form.password);
    const apiKeyHash = (userId: number): string => this.apiKeys.hashOf(this.apiKeys.keyOf(userId, 1));
    const command = { invitationId, email, fullName, timezone, passwordHash, apiKeyHash, at };
    const { events, appended } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideAccept(directory, { type: 'accept-invitation', ...command }),
    }));
    await this.followUps.carryOut(streams.organization, appended, events);
    const user = this.directory.userByEmail(email);
    if (user === undefined) throw new Error('Somebody joined and has no account.');
    return user;
  }
}

function complaint(check: () => unknown): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
