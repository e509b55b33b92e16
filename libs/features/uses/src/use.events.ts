import { Type } from 'typebox';
import { type EventOf, eventType, exactly } from '#event-store';

const Id = Type.Integer({ minimum: 1 });

/** What is noted: `UseLog` says when. */
const Kind = Type.Union([
  Type.Literal('signed-in'),
  Type.Literal('sign-in-failed'),
  Type.Literal('signed-out'),
  Type.Literal('key-seen'),
  Type.Literal('file-fetched'),
  Type.Literal('export-fetched'),
  Type.Literal('operator-called'),
]);

/** Uses of credentials, files and archives, of about a second. Who did it and in which request is said by each of them. */
export const usesNoted = eventType(
  'uses.noted.v1',
  exactly({
    uses: Type.Array(
      exactly({
        kind: Kind,
        /** Who did it, in which request: the text of an origin (`parseOrigin`). */
        o: Type.String(),
        /** Seconds since the epoch. */
        at: Type.Integer(),
        /** How often more, in the minute from then on, the same was done; the first time is a use of its own. */
        again: Type.Optional(Type.Integer({ minimum: 1 })),
        /**
         * By which means somebody signed in: `password`, `invitation`, `jwt`, `dev`, `openid`, `link`. `register` for a key that was among
         * what a client begins with.
         */
        how: Type.Optional(Type.String()),
        /** The account that a failed attempt named, or whose key was seen. */
        userId: Type.Optional(Id),
        /** What a failed attempt named that is no account's: `a…@example.org`, or nothing of it. */
        name: Type.Optional(Type.String()),
        /** Generation of the key that was handed out. */
        key: Type.Optional(Id),
        /** The session that a browser got or ended, as visits name it. */
        session: Type.Optional(Type.String()),
        fileId: Type.Optional(Id),
        exportId: Type.Optional(Id),
        /** Verb and route of the operator's call. */
        call: Type.Optional(Type.String()),
      }),
    ),
    /** How many more there were of a kind, beyond what is noted in a minute. */
    more: Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 1 }))),
    at: Type.Integer(),
  }),
);

export type UsesNoted = EventOf<typeof usesNoted>;
/** As it is recorded. */
export type NotedUse = UsesNoted['data']['uses'][number];
export type UseKind = NotedUse['kind'];
