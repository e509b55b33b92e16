import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type Presentable,
  type Recipient,
  type WholeState,
} from '#feed';
import { Directory } from '#people';
import type { ProfileDataChanged, ProfileFieldEvent } from '../model/profile-fields/profile-field.events.js';
import { wireProfileFields } from './wire-profile.js';
import type { userEventSchemas } from '../user-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<Pick<typeof userEventSchemas, 'custom_profile_fields'>>;

/** Clients get the list as it is when it is delivered. */
const FIELDS_CHANGED: FeedEntry = { type: 'custom_profile_fields', audience: { to: 'everyone' }, body: {} };

/** `custom_profile_fields` events, and what people's profiles say in `realm_user` (events.md §4). */
@Injectable()
export class ProfileClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ProfileFieldEvent | ProfileDataChanged> = {
    'profile-field.created.v1': () => [FIELDS_CHANGED],
    'profile-field.changed.v1': ({ data: { fieldId, cleared = [] } }) => [
      FIELDS_CHANGED,
      ...cleared.slice(0, CLEARED_MAX).map((userId) => valueEntry(userId, { id: fieldId, value: null })),
    ],
    'profile-fields.ordered.v1': () => [FIELDS_CHANGED],
    'profile-field.removed.v1': () => [FIELDS_CHANGED],
    'profile-data.changed.v1': ({ data: { userId, values } }) =>
      values.map(({ fieldId: id, value, rendered }) => valueEntry(userId, { id, value, rendered_value: rendered })),
  };
  override readonly types: ReadonlySet<string> = new Set(['custom_profile_fields']);

  constructor(private readonly directory: Directory) {
    super();
  }

  override wholeState({ type }: FeedEntry): WholeState {
    // With a field, clients forget its values.
    return { name: type, told: 'last' };
  }

  override present(_entry: Presentable, { settings }: Recipient): readonly Told[] {
    const fields = wireProfileFields(this.directory, settings.pronouns !== false);
    return [{ type: 'custom_profile_fields', fields }];
  }
}

/** More than this makes clients register again: there are not more IDs for the client events of one event. */
const CLEARED_MAX = 900;

function valueEntry(
  userId: number,
  field: { readonly id: number; readonly value: string | null; readonly rendered_value?: string },
): FeedEntry {
  const person = { user_id: userId, custom_profile_field: field };
  return { type: 'realm_user', audience: { to: 'everyone' }, body: { op: 'update', person } };
}
