import { Command } from '@nestjs/cqrs';
import { Decisions, type Given, command, inOrganization } from '#feature';
import { Clock, type Origin, Refusal } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
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
  /** Default channel groups that are checked. */
  readonly defaultGroupIds: readonly number[];
}

/** Why the form was not accepted, by its fields; `form` for what concerns no single one. */
export type JoinErrors = Partial<Record<'email' | 'full_name' | 'password' | 'form', string>>;

/** The new account, or why it was not made. */
export type Joined =
  { readonly user: User } | { readonly user?: undefined; readonly entrance: Entrance; readonly errors: JoinErrors };

/** Makes the account of somebody who joins by an invitation. */
export class JoinCommand extends Command<Joined> {
  constructor(
    readonly form: JoinForm,
    readonly origin: Origin,
  ) {
    super();
  }
}

const NEEDS = {
  directory: Directory,
  entrances: Entrances,
  passwords: Passwords,
  apiKeys: ApiKeys,
  decisions: Decisions,
  clock: Clock,
};

/** @throws Refusal NOT_FOUND for a link that does not work */
export const join = command(JoinCommand, NEEDS, async ({ form, origin }, given) => {
  const entrance = given.entrances.toForm(form.key, given.clock.nowSeconds());
  if (entrance === undefined) throw deadLink();
  const email = entrance.email ?? form.email.trim();
  const errors = errorsIn(form, email, entrance, given);
  if (Object.keys(errors).length > 0) return { entrance, errors };
  try {
    return { user: await account(entrance, { ...form, email }, given, origin) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'BAD_REQUEST') throw error;
    return { entrance, errors: { form: error.message } };
  }
});

function errorsIn(
  { fullName, password }: JoinForm,
  email: string,
  entrance: Entrance,
  { directory, passwords }: Given<typeof NEEDS>,
): JoinErrors {
  const address = entrance.email === undefined ? complaintOf(directory, email) : undefined;
  const name = complaint(() => checkFullName(fullName));
  const secret = complaint(() => {
    passwords.assertStrong(password, [email, fullName]);
  });
  return {
    ...(address === undefined ? undefined : { email: address }),
    ...(name === undefined ? undefined : { full_name: name }),
    ...(secret === undefined ? undefined : { password: secret }),
  };
}

async function account(
  { invitationId }: Entrance,
  form: JoinForm,
  { directory, passwords, apiKeys, decisions }: Given<typeof NEEDS>,
  origin: Origin,
): Promise<User> {
  const { email, fullName, defaultGroupIds } = form;
  const timezone = isTimezone(form.timezone) ? form.timezone : '';
  const passwordHash = await passwords.hash(form.password);
  const apiKeyHash = (userId: number): string => apiKeys.hashOf(apiKeys.keyOf(userId, 1));
  const accepted = { invitationId, email, fullName, timezone, defaultGroupIds, passwordHash, apiKeyHash };
  await decisions.carryThrough(
    inOrganization((now, at) => decideAccept(now, { type: 'accept-invitation', ...accepted, at })),
    origin,
  );
  const user = directory.userByEmail(email);
  if (user === undefined) throw new Error('Somebody joined and has no account.');
  return user;
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
