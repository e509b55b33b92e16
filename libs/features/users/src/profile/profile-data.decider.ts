import { badRequest, excerpt, isDay } from '#kernel';
import { type Directory, mayKnowUser } from '#people';
import { choicesOf, PROFILE_FIELD, type ProfileField, profileValueOf } from '../model/profile-fields/profile-fields.js';
import type { ProfileDataChanged } from '../model/profile-fields/profile-field.events.js';
import { ROLE } from '../model/role.js';
import type { User } from '../model/user.js';
import { isUrl } from './field-definition.js';
import { existing } from './profile-fields.decider.js';

/** Code points (register.md §4). */
const SHORT_LENGTH_MAX = 50;
const LONG_LENGTH_MAX = 500;
const LINK_LENGTH_MAX = 2_000;
const USERS_MAX = 100;

export interface AskedProfileValue {
  readonly fieldId: number;
  /** null or empty removes it. */
  readonly value: string | readonly number[] | null;
}

/** Values of a person's profile, as asked by themself or an administrator. */
export interface ChangeProfile {
  readonly values: readonly AskedProfileValue[];
  /** HTML of text, as the actor may render it. */
  readonly render: (markdown: string) => string;
}

/**
 * Changes a person's profile; nothing that is as it was already is recorded.
 * @throws Refusal BAD_REQUEST
 */
export function decideProfile(
  directory: Directory,
  actor: User,
  user: User,
  { values, render }: ChangeProfile,
  at: number,
): readonly ProfileDataChanged[] {
  const { fields } = directory.profileFields;
  const wanted = new Map<ProfileField, string | null>();
  for (const { fieldId, value } of values) {
    const field = existing(fields, fieldId);
    if (!field.isEditable && actor.role > ROLE.administrator)
      throw badRequest('You are not allowed to change this field. Contact an administrator to update it.');
    wanted.set(field, isEmpty(value) ? null : checkedValue(directory, actor, field, value));
  }
  const different: ProfileDataChanged['data']['values'][number][] = [];
  for (const [field, value] of wanted) {
    const { fieldId } = field;
    if (value === (profileValueOf(user, fieldId) ?? null)) continue;
    // Rendering takes long, and a request may name a field many times.
    const rendered = value !== null && isRendered(field) ? { rendered: render(value) } : undefined;
    different.push({ fieldId, value, ...rendered });
  }
  if (different.length === 0) return [];
  const data = { userId: user.userId, values: different, by: actor.userId, at };
  return [{ type: 'profile-data.changed.v1', data }];
}

function isEmpty(asked: AskedProfileValue['value']): asked is null {
  return asked === null || asked.length === 0;
}

function isRendered({ type }: ProfileField): boolean {
  return type === PROFILE_FIELD.shortText || type === PROFILE_FIELD.paragraph;
}

function checkedValue(
  directory: Directory,
  actor: User,
  field: ProfileField,
  asked: string | readonly number[],
): string {
  const { name, type } = field;
  if (type === PROFILE_FIELD.users) return JSON.stringify(checkedUsers(directory, actor, name, asked));
  if (typeof asked !== 'string') throw badRequest(`${name} is not a string`);
  if (asked.includes('\0')) throw badRequest(`${name} must not contain null bytes`);
  switch (type) {
    case PROFILE_FIELD.choice:
      if (!choicesOf(field).includes(asked))
        throw badRequest(`'${excerpt(asked)}' is not a valid choice for '${name}'.`);
      return asked;
    case PROFILE_FIELD.date:
      if (!isDate(asked)) throw badRequest(`${name} is not a date`);
      return asked;
    case PROFILE_FIELD.link:
      if (asked.length > LINK_LENGTH_MAX || !isUrl(asked)) throw badRequest(`${name} is not a URL`);
      return asked;
    case PROFILE_FIELD.paragraph:
      return short(name, asked, LONG_LENGTH_MAX);
    default:
      return short(name, asked, SHORT_LENGTH_MAX);
  }
}

function short(name: string, text: string, lengthMax: number): string {
  if (Array.from(text).length > lengthMax) throw badRequest(`${name} is too long (limit: ${lengthMax} characters)`);
  return text;
}

/** There is no year 0, and some clients cannot read one. */
function isDate(text: string): boolean {
  return isDay(text) && !text.startsWith('0000');
}

function checkedUsers(
  directory: Directory,
  actor: User,
  name: string,
  asked: string | readonly number[],
): readonly number[] {
  if (typeof asked === 'string') throw badRequest(`${name} is not a list`);
  if (asked.length > USERS_MAX) throw badRequest(`${name} has too many users (limit: ${USERS_MAX})`);
  for (const userId of asked) {
    const user = directory.user(userId);
    if (user === undefined || !mayKnowUser(directory, actor, user)) throw badRequest(`Invalid user ID: ${userId}`);
    if (!user.isActive) throw badRequest(`User with ID ${userId} is deactivated`);
    if (user.botType !== null) throw badRequest(`User with ID ${userId} is a bot`);
  }
  return asked;
}
