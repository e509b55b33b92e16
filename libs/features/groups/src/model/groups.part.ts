import { directoryBook } from '#directory';
import { earlierFields } from '#kernel';
import { usersPart } from '#users/model';
import { GroupBook } from './group-book.js';
import { groupEventTypes } from './group.events.js';

/** Groups and their members. */
export const groupsPart = directoryBook({
  name: 'groups',
  events: groupEventTypes,
  needs: [usersPart],
  open: (of) => new GroupBook(of(usersPart)),
  earlier: {
    'group.changed.v1': (groups, { groupId, permissions, by: _by, at: _at, ...fields }) => {
      const was = groups.get(groupId);
      const { groupId: _, ...earlier } = earlierFields(was, { groupId, ...fields }) as { groupId: number };
      return { ...earlier, ...(permissions && { permissions: earlierFields(was?.permissions, permissions) }) };
    },
  },
});
