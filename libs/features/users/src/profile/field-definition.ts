import { badRequest } from '#kernel';
import { REALM_CONSTANTS } from '#realm/model';
import { hiddenCharacterIn } from '../model/names/name-text.js';
import { PROFILE_FIELD } from '../model/profile-fields/profile-fields.js';
import type { ProfileFieldDefinition } from '../model/profile-fields/profile-field.events.js';
import type { AskedField } from './profile-fields.commands.js';

/** Lengths in code points (register.md §4). */
const NAME_LENGTH_MAX = 40;
const HINT_LENGTH_MAX = 80;
const CHOICE_LENGTH_MAX = 100;
const CHOICES_MAX = 200;
/** As JSON: clients get all fields whenever they register. */
const DATA_LENGTH_MAX = 32 * 1024;
const URL_PATTERN_LENGTH_MAX = 1000;
const USERNAME = '%(username)s';
/** A profile's summary has no room for these. */
const TOO_LONG_FOR_SUMMARY: readonly number[] = [PROFILE_FIELD.paragraph, PROFILE_FIELD.users];

const ACCOUNTS: Readonly<Record<string, { readonly name: string; readonly hint: string }>> =
  REALM_CONSTANTS.default_external_accounts;

/** The kind of external account that the server knows by itself; undefined for other fields. */
export function knownAccountOf({ type, data }: Pick<ProfileFieldDefinition, 'type' | 'data'>): string | undefined {
  if (type !== PROFILE_FIELD.externalAccount || data === '') return undefined;
  const { subtype } = JSON.parse(data) as { subtype?: string };
  return subtype !== undefined && Object.hasOwn(ACCOUNTS, subtype) ? subtype : undefined;
}

/**
 * A field as it is recorded. Name and hint of an external account that the server knows are the server's.
 * @throws Refusal BAD_REQUEST
 */
export function fieldDefinition(type: number, asked: AskedField): ProfileFieldDefinition {
  if (!Object.values(PROFILE_FIELD).some((known) => known === type)) throw badRequest('Invalid field type.');
  if (asked.isInSummary && TOO_LONG_FOR_SUMMARY.includes(type))
    throw badRequest('Field type not supported for display in profile summary.');
  const data = fieldData(type, asked.data);
  const account = knownAccountOf({ type, data });
  const text = account === undefined ? labels(asked) : ACCOUNTS[account];
  const { isInSummary, isRequired, isEditable } = asked;
  return { type, name: text?.name ?? '', hint: text?.hint ?? '', data, isInSummary, isRequired, isEditable };
}

function labels(asked: AskedField): { readonly name: string; readonly hint: string } {
  const [name, hint] = [asked.name.trim(), asked.hint.trim()];
  if (name === '') throw badRequest('Label cannot be blank.');
  if (Array.from(name).length > NAME_LENGTH_MAX)
    throw badRequest(`name is too long (limit: ${NAME_LENGTH_MAX} characters)`);
  if (Array.from(hint).length > HINT_LENGTH_MAX)
    throw badRequest(`hint is too long (limit: ${HINT_LENGTH_MAX} characters)`);
  if (hiddenCharacterIn(name) !== -1 || hint.includes('\0')) throw badRequest('Invalid characters in label or hint.');
  return { name, hint };
}

function fieldData(type: number, data: Readonly<Record<string, unknown>> = {}): string {
  switch (type) {
    case PROFILE_FIELD.choice:
      return bounded(choices(data));
    case PROFILE_FIELD.externalAccount:
      return bounded(externalAccount(data));
    default:
      return '';
  }
}

function bounded(data: object): string {
  const text = JSON.stringify(data);
  if (text.length > DATA_LENGTH_MAX) throw badRequest(`field_data is too long (limit: ${DATA_LENGTH_MAX} characters)`);
  return text;
}

function choices(data: Readonly<Record<string, unknown>>): object {
  const all = Object.entries(data);
  if (all.length === 0) throw badRequest('Field must have at least one choice.');
  if (all.length > CHOICES_MAX) throw badRequest(`Field may have up to ${CHOICES_MAX} choices.`);
  const read = all.map(([key, choice]): [string, { text: string; order: string }] => {
    if (key.trim() === '' || key.length > CHOICE_LENGTH_MAX) throw badRequest("'value' cannot be blank.");
    const { text, order, ...others } = Object(choice) as Record<string, unknown>;
    if (typeof text !== 'string' || typeof order !== 'string' || Object.keys(others).length > 0)
      throw badRequest('field_data must map each value to its text and order');
    if (text.trim() === '' || order.trim() === '') throw badRequest('Choices have a text and an order.');
    if (Array.from(text).length > CHOICE_LENGTH_MAX)
      throw badRequest(`A choice is too long (limit: ${CHOICE_LENGTH_MAX} characters)`);
    return [key, { text, order }];
  });
  if (new Set(read.map(([, { text }]) => text)).size < read.length)
    throw badRequest('Field must not have duplicate choices.');
  return Object.fromEntries(read);
}

function externalAccount(data: Readonly<Record<string, unknown>>): object {
  const { subtype, url_pattern: pattern, ...others } = data;
  if (typeof subtype !== 'string' || Object.keys(others).length > 0)
    throw badRequest('field_data must have a subtype, and for a custom one a url_pattern');
  if (Object.hasOwn(ACCOUNTS, subtype)) return { subtype };
  if (subtype !== 'custom') throw badRequest('Invalid external account type');
  if (typeof pattern !== 'string') throw badRequest('Custom external account must define URL pattern');
  const isWebsite = pattern.length <= URL_PATTERN_LENGTH_MAX && isUrl(pattern.replace(USERNAME, 'username'));
  if (pattern.split(USERNAME).length !== 2 || !isWebsite)
    throw badRequest(`url_pattern must be the address of a website with ${USERNAME} in it, once`);
  return { subtype, url_pattern: pattern };
}

/** Whether it is the address of a website. */
export function isUrl(text: string): boolean {
  return (
    /^https?:\/\/[^\s/?#]+\.[^\s/?#]+|^https?:\/\/localhost\b/i.test(text) && URL.canParse(text) && !/\s/.test(text)
  );
}
