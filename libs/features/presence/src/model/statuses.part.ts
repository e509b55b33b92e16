import { directoryBook } from '#directory';
import { StatusBook } from './status-book.js';
import { userStatusChanged } from './status.events.js';

/** Users' statuses. */
export const statusesPart = directoryBook({
  name: 'statuses',
  events: [userStatusChanged],
  open: () => new StatusBook(),
});
