import { directoryBook } from '#directory';
import { usersPart } from '../users/users.part.js';
import { GroupBook } from './group-book.js';
import { groupEventTypes } from './group.events.js';

/** Groups and their members. */
export const groupsPart = directoryBook({
  name: 'groups',
  events: groupEventTypes,
  needs: [usersPart],
  open: (of) => new GroupBook(of(usersPart)),
});
