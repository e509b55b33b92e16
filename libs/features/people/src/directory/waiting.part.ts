import { directoryBook, type Handlers } from '#directory';
import { realmPart } from '#realm/model';
import { type UserEvent, usersPart } from '#users/model';

type UserCreated = Extract<UserEvent, { readonly type: 'user.created.v1' }>;

/** A new user waits to become a full member, where the organization has a waiting period. */
export const waitingPart = directoryBook({
  name: 'waiting',
  events: [],
  needs: [usersPart, realmPart],
  open: (of) => ({
    on: {
      'user.created.v1': ({ data: { userId, systemBot } }) => {
        if (of(realmPart).settings.waiting_period_threshold > 0 && systemBot === undefined)
          of(usersPart).beginWaiting(userId);
      },
    } satisfies Handlers<UserCreated>,
    snapshot: () => undefined,
    // Who waits is a field of users.
    restore: () => undefined,
  }),
});
