import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type ListOfThen,
  listOfThen,
  type Presentable,
  type Recipient,
  type WholeState,
} from '#feed';
import { Directory } from '#people';
import type { ProfileField } from '../model/profile-fields/profile-fields.js';
import type { ProfileDataChanged, ProfileFieldEvent } from '../model/profile-fields/profile-field.events.js';
import { wireProfileFields } from './wire-profile.js';
import type { userEventSchemas } from '../user-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<Pick<typeof userEventSchemas, 'custom_profile_fields'>>;
type Body = ListOfThen<ProfileField>;

/** `custom_profile_fields` events, and what people's profiles say in `realm_user` (events.md §4). */
@Injectable()
export class ProfileClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ProfileFieldEvent | ProfileDataChanged> = {
    'profile-field.created.v1': fieldsChanged,
    'profile-field.changed.v1': (event, directory) => [
      ...fieldsChanged(event, directory),
      ...(event.data.cleared ?? [])
        .slice(0, CLEARED_MAX)
        .map((userId) => valueEntry(userId, { id: event.data.fieldId, value: null })),
    ],
    'profile-fields.ordered.v1': fieldsChanged,
    'profile-field.removed.v1': fieldsChanged,
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

  override present({ entry: { body } }: Presentable<Body>, { settings }: Recipient): readonly Told[] {
    const { state = this.directory.profileFields.fields } = body;
    return [{ type: 'custom_profile_fields', fields: wireProfileFields(state, settings.pronouns !== false) }];
  }
}

function fieldsChanged(_event: unknown, { profileFields }: Directory): readonly FeedEntry<Body>[] {
  return [{ type: 'custom_profile_fields', audience: { to: 'everyone' }, body: listOfThen(profileFields.fields) }];
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
