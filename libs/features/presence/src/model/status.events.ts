import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();

/** Only what changed is listed. */
export const userStatusChanged = eventType(
  'user-status.changed.v1',
  exactly({
    userId: Id,
    /** Empty for none. */
    text: Type.Optional(Type.String()),
    emoji: Type.Optional(
      Type.Union([
        exactly({
          name: Type.String(),
          code: Type.String(),
          type: Type.Union([
            Type.Literal('unicode_emoji'),
            Type.Literal('realm_emoji'),
            Type.Literal('service_extra_emoji'),
          ]),
        }),
        Type.Null(),
      ]),
    ),
    by: Id,
    at: At,
  }),
);

export type UserStatusChanged = EventOf<typeof userStatusChanged>;
