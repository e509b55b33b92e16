import { directoryBook } from '#directory';
import { earlierFields } from '#kernel';
import { profileDataChanged } from './profile-fields/profile-field.events.js';
import { DirectBook } from './direct-book.js';
import { ForeseenEnds } from './foreseen-ends.js';
import { UserBook } from './user-book.js';
import { userEventTypes, botOwnerChanged } from './user.events.js';

/** Users, bots among them, with their profiles. */
export const usersPart = directoryBook({
  name: 'users',
  events: [...userEventTypes, profileDataChanged, botOwnerChanged],
  open: () => new UserBook(),
  earlier: {
    // No hash of a password leaves its event.
    'user.changed.v1': (users, { userId, fullName, email, timezone }) =>
      earlierFields(users.get(userId), givenOf({ fullName, email, timezone })),
    'user.email-visibility-changed.v1': (users, { userId }) => {
      const { emailVisibility: visibility = null, apiEmail = null } = users.get(userId) ?? {};
      return { visibility, apiEmail };
    },
    'user.avatar-changed.v1': (users, { userId }) => ({ avatar: users.get(userId)?.avatar ?? null }),
    'profile-data.changed.v1': (users, { userId, values }) => {
      const { profile = {} } = users.get(userId) ?? {};
      return { values: values.map(({ fieldId }) => ({ fieldId, value: profile[String(fieldId)]?.value ?? null })) };
    },
  },
});

/** Who has ever been in a direct conversation with whom. */
export const directsPart = directoryBook({ name: 'directs', events: [], open: () => new DirectBook() });

/** Deactivations of accounts that the log holds and the directory does not yet. */
export const foreseenEndsPart = directoryBook({ name: 'foreseenEnds', events: [], open: () => new ForeseenEnds() });

/** The fields that are given; undefined for none. */
function givenOf(fields: object): object | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
