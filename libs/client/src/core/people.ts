import type { Fields, User } from '../wire/types.js';
import type { IdMap } from './id-map.js';
import { by, listed } from './list-fields.js';
import { lacking } from './ordered.js';
import { reducing, type Reducers } from './reducer.js';
import { type State, withEntry, withField, withFields } from './state.js';

interface Person extends Partial<User> {
  readonly user_id: number;
  readonly new_email?: string;
  readonly avatar_source?: string;
  readonly avatar_url_medium?: string | null;
  readonly custom_profile_field?: Fields & { readonly id: number; readonly value: unknown };
}

export const peopleReducers = {
  realm_user: reducing<{ readonly person: Person }>((state, { op, person }) => {
    const { user_id: userId } = person;
    switch (op) {
      // A limited guest who comes to know a user had a placeholder for them, or none, and gets one again or none.
      case 'add':
        return withUser(state, userId, person as User);
      case 'remove':
        return withUser(state, userId);
      case 'update':
        return updated(state, person);
      default:
        return undefined;
    }
  }),

  realm_bot: listed('realm_bots', 'bot', 'user_id', by('user_id')),

  // What is empty is not kept.
  user_status: reducing<{ readonly user_id: number }>((state, { user_id, id: _id, type: _type, ...parts }) => {
    const statuses = (state.fields.user_status ?? {}) as Readonly<Record<string, Fields>>;
    const merged = Object.entries({ ...statuses[user_id], ...parts });
    const status = Object.fromEntries(merged.filter(([, value]) => value !== '' && value !== false));
    return Object.keys(status).length === 0
      ? withField(state, 'user_status', lacking(statuses, user_id))
      : withEntry(state, 'user_status', user_id, status);
  }),

  // Clients of the earlier format know people by their addresses.
  presence: reducing<{ user_id?: number; email?: string; presence?: unknown; presences?: Fields }>((state, event) => {
    const changed = event.presences ?? { [event.email ?? event.user_id ?? '']: event.presence };
    return withField(state, 'presences', { ...(state.fields.presences as Fields | undefined), ...changed });
  }),

  // The values of a field go with it.
  custom_profile_fields: reducing<{ readonly fields: readonly { readonly id: number }[] }>((state, { fields }) => {
    const known = new Set(fields.map(({ id }) => String(id)));
    const next = withField(state, 'custom_profile_fields', fields);
    return { ...next, users: withValues(next.users, known), formerUsers: withValues(next.formerUsers, known) };
  }),
} satisfies Reducers;

/** With the user in the list that is theirs, or in none. */
function withUser(state: State, userId: number, user?: User): State {
  const { users, formerUsers } = state;
  const isFormer = user?.is_active === false;
  const put = (all: IdMap<User> | undefined, isIn: boolean): IdMap<User> | undefined =>
    isIn && user !== undefined ? all?.set(userId, user) : all?.delete(userId);
  return { ...state, users: put(users, !isFormer), formerUsers: put(formerUsers, isFormer) };
}

function withValues(users: IdMap<User> | undefined, known: ReadonlySet<string>): IdMap<User> | undefined {
  let next = users;
  for (const [id, user] of users ?? []) {
    const values = Object.entries(user.profile_data ?? {});
    const kept = values.filter(([field]) => known.has(field));
    if (kept.length < values.length) next = next?.set(id, { ...user, profile_data: Object.fromEntries(kept) });
  }
  return next;
}

function updated(state: State, person: Person): State {
  const { user_id: userId } = person;
  const user = state.users?.get(userId) ?? state.formerUsers?.get(userId);
  if (user === undefined) return state;
  const changed = changedUser(user, person, computesAvatars(state));
  const next = withUser(state, userId, changed);
  return userId === state.self ? withOwnAccount(next, person, changed) : next;
}

/** Whether the client computes pictures of users without one: then it is told of none. */
function computesAvatars(state: State): boolean {
  const bots = (state.fields.cross_realm_bots ?? []) as readonly User[];
  return bots.some(({ avatar_url }) => avatar_url === null);
}

function changedUser(user: User, person: Person, computesAvatar: boolean): User {
  const {
    new_email: newEmail,
    custom_profile_field: field,
    avatar_source: source,
    avatar_url_medium: _,
    ...changes
  } = person;
  let next: User = { ...user, ...changes, ...(newEmail !== undefined && { email: newEmail }) };
  // The client computes pictures of those whose addresses everyone sees.
  if (source === 'G' && computesAvatar && next.email === next.delivery_email) next = { ...next, avatar_url: null };
  if (field !== undefined) {
    const { id, ...value } = field;
    const data = next.profile_data ?? {};
    next = { ...next, profile_data: field.value === null ? lacking(data, id) : { ...data, [id]: value } };
  }
  const { role } = person;
  if (role === undefined) return next;
  return { ...next, is_owner: role === 100, is_admin: role <= 200, is_guest: role === 600 };
}

/** What the answer says of the user has the names that it has in events, apart from a new address and a role. */
function withOwnAccount(state: State, person: Person, user: User): State {
  const { new_email: email, role } = person;
  const { is_owner, is_admin, is_guest } = user;
  return withFields(state, {
    ...person,
    ...(email !== undefined && { email }),
    ...(role !== undefined && { is_owner, is_admin, is_guest, is_moderator: role <= 300 }),
  });
}
