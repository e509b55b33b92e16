import {
  type EventSchemas,
  integer,
  list,
  nullable,
  object,
  oneOf,
  optional,
  text,
  truth,
  type WireEvent,
  words,
} from '#wire';
import { RoleSchema } from './model/role.js';
import { ProfileFieldSchema } from './profile/wire-profile.js';
import { UserSchema } from './wire-user.js';

const user_id = integer;

/** What changed; each is an event of its own. */
const ChangedSchema = oneOf(
  object({ user_id, full_name: text }),
  object({
    user_id,
    avatar_url: nullable(text),
    avatar_source: words('G', 'U'),
    avatar_url_medium: nullable(text),
    avatar_version: integer,
  }),
  object({ user_id, email: text, timezone: text }),
  object({ user_id, bot_owner_id: integer }),
  object({ user_id, role: RoleSchema }),
  object({ user_id, delivery_email: nullable(text) }),
  object({
    user_id,
    custom_profile_field: object({ id: integer, value: nullable(text), rendered_value: optional(text) }),
  }),
  object({ user_id, new_email: text }),
  object({ user_id, is_active: truth }),
);

/** Client events about people (events.md §4). */
export const userEventSchemas = {
  'realm_user/add': { person: UserSchema },
  'realm_user/update': { person: ChangedSchema },
  'realm_user/remove': { person: object({ user_id, full_name: text }) },
  custom_profile_fields: { fields: list(ProfileFieldSchema) },
} satisfies EventSchemas;

export type WireUserEvent = WireEvent<typeof userEventSchemas>;
