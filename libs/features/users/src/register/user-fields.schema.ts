import { integer, list, map, nullable, object, text, truth, words } from '#wire';
import { ProfileFieldSchema } from '../profile/wire-profile.js';
import { ShownUserSchema } from '../wire-user.js';

/** All users, and the caller's own account (register.md §2). */
export const userFieldSchemas = {
  realm_users: list(ShownUserSchema),
  realm_non_active_users: list(ShownUserSchema),
  cross_realm_bots: list(ShownUserSchema),
  user_id: integer,
  email: text,
  delivery_email: text,
  full_name: text,
  avatar_source: words('G', 'U'),
  avatar_url: nullable(text),
  avatar_url_medium: nullable(text),
  is_owner: truth,
  is_admin: truth,
  is_moderator: truth,
  is_guest: truth,
  can_create_public_streams: truth,
  can_create_private_streams: truth,
  can_create_web_public_streams: truth,
  can_create_streams: truth,
  can_invite_others_to_realm: truth,
  custom_profile_fields: list(ProfileFieldSchema),
  custom_profile_field_types: map(object({ id: integer, name: text })),
};
