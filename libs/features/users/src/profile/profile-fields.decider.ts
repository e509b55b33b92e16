import { badRequest, Refusal, unreachable } from '#kernel';
import type { Directory } from '#people';
import { choicesOf, PROFILE_FIELD, type ProfileField, profileValueOf } from '../model/profile-fields/profile-fields.js';
import { nameKey } from '../model/names/name-text.js';
import type { ProfileFieldDefinition, ProfileFieldEvent } from '../model/profile-fields/profile-field.events.js';
import { ROLE } from '../model/role.js';
import { presentActor } from '../accounts/accounts.access.js';
import { fieldDefinition, knownAccountOf } from './field-definition.js';
import type { ProfileFieldCommand } from './profile-fields.commands.js';

/** Everybody's values of all fields are in memory, and in what clients fetch. */
const PROFILE_FIELDS_MAX = 50;
/** A profile's summary has room for so many (endpoints.md §12). */
const SUMMARY_FIELDS_MAX = 2;

/**
 * Changes the fields of people's profiles (endpoints.md §12), as an administrator.
 * @throws Refusal BAD_REQUEST, UNAUTHORIZED_PRINCIPAL, USER_DEACTIVATED
 */
export function decideProfileFields(directory: Directory, command: ProfileFieldCommand): readonly ProfileFieldEvent[] {
  const { actorId: by, at } = command;
  if (presentActor(directory, by).role > ROLE.administrator)
    throw new Refusal('UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator');
  const { fields, lastId } = directory.profileFields;
  switch (command.type) {
    case 'create-field': {
      if (fields.length >= PROFILE_FIELDS_MAX)
        throw badRequest(`There are too many custom profile fields (limit: ${PROFILE_FIELDS_MAX})`);
      const field = fieldDefinition(command.fieldType, command.asked);
      assertFits(fields, field);
      return [{ type: 'profile-field.created.v1', data: { fieldId: lastId + 1, field, by, at } }];
    }
    case 'change-field':
      return change(directory, command);
    case 'order-fields': {
      const { fieldIds } = command;
      const isComplete = fieldIds.length === fields.length && fields.every(({ fieldId }) => fieldIds.includes(fieldId));
      if (!isComplete) throw badRequest('Invalid order mapping.');
      if (fields.every(({ fieldId }, index) => fieldIds[index] === fieldId)) return [];
      return [{ type: 'profile-fields.ordered.v1', data: { fieldIds: [...fieldIds], by, at } }];
    }
    case 'remove-field': {
      const { fieldId } = existing(fields, command.fieldId);
      return [{ type: 'profile-field.removed.v1', data: { fieldId, by, at } }];
    }
    default:
      return unreachable(command);
  }
}

/** @throws Refusal BAD_REQUEST */
export function existing(fields: readonly ProfileField[], fieldId: number): ProfileField {
  const field = fields.find((known) => known.fieldId === fieldId);
  if (field === undefined) throw badRequest(`Field id ${fieldId} not found.`);
  return field;
}

type ChangeField = Extract<ProfileFieldCommand, { type: 'change-field' }>;

function change(directory: Directory, command: ChangeField): readonly ProfileFieldEvent[] {
  const { asked, actorId: by, at } = command;
  const { fields } = directory.profileFields;
  const { fieldId, ...known } = existing(fields, command.fieldId);
  const isKnownAccount = knownAccountOf(known) !== undefined;
  const { name, hint, data } = asked;
  if (isKnownAccount && (name ?? hint ?? data) !== undefined && !isSameText(known, asked))
    throw badRequest('Default custom field cannot be updated.');
  const field = fieldDefinition(known.type, {
    name: name ?? known.name,
    hint: hint ?? known.hint,
    data: data ?? (known.data === '' ? undefined : (JSON.parse(known.data) as Record<string, unknown>)),
    isInSummary: asked.isInSummary ?? known.isInSummary,
    isRequired: asked.isRequired ?? known.isRequired,
    isEditable: asked.isEditable ?? known.isEditable,
  });
  assertFits(
    fields.filter((other) => other.fieldId !== fieldId),
    field,
  );
  if (JSON.stringify(field) === JSON.stringify(ordered(known))) return [];
  const cleared = usersWithoutChoice(directory, fieldId, field);
  const data_ = { fieldId, field, cleared: cleared.length === 0 ? undefined : cleared, by, at };
  return [{ type: 'profile-field.changed.v1', data: data_ }];
}

/** Clients may send what is the server's as it is. */
function isSameText(known: ProfileFieldDefinition, { name, hint, data }: ChangeField['asked']): boolean {
  const isSameData = data === undefined || JSON.stringify(data) === known.data;
  return (name ?? known.name) === known.name && (hint ?? known.hint) === known.hint && isSameData;
}

function ordered({ type, name, hint, data, isInSummary, isRequired, isEditable }: ProfileFieldDefinition) {
  return { type, name, hint, data, isInSummary, isRequired, isEditable };
}

function assertFits(others: readonly ProfileField[], field: ProfileFieldDefinition): void {
  if (others.some(({ name }) => nameKey(name) === nameKey(field.name)))
    throw badRequest('A field with that label already exists.');
  if (field.isInSummary && others.filter(({ isInSummary }) => isInSummary).length >= SUMMARY_FIELDS_MAX)
    throw badRequest(`Only ${SUMMARY_FIELDS_MAX} custom profile fields can be displayed in the profile summary.`);
}

/** Users who had chosen what is no choice any more. */
function usersWithoutChoice(directory: Directory, fieldId: number, field: ProfileFieldDefinition): number[] {
  if (field.type !== PROFILE_FIELD.choice) return [];
  const choices = new Set(choicesOf(field));
  const userIds: number[] = [];
  for (const user of directory.users()) {
    const chosen = profileValueOf(user, fieldId);
    if (chosen !== undefined && !choices.has(chosen)) userIds.push(user.userId);
  }
  return userIds;
}
