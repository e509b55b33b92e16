import { directoryBook } from '#directory';
import { profileDataChanged } from '../profile-fields/profile-field.events.js';
import { DirectBook } from './direct-book.js';
import { ForeseenEnds } from './foreseen-ends.js';
import { UserBook } from './user-book.js';
import { userEventTypes, botOwnerChanged } from './user.events.js';

/** Users, bots among them, with their profiles. */
export const usersPart = directoryBook({
  name: 'users',
  events: [...userEventTypes, profileDataChanged, botOwnerChanged],
  open: () => new UserBook(),
});

/** Who has ever been in a direct conversation with whom. */
export const directsPart = directoryBook({ name: 'directs', events: [], open: () => new DirectBook() });

/** Deactivations of accounts that the log holds and the directory does not yet. */
export const foreseenEndsPart = directoryBook({ name: 'foreseenEnds', events: [], open: () => new ForeseenEnds() });
