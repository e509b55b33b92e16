import { Type } from 'typebox';
import { eventType, exactly, type EventOf } from '#event-store';

/** Seconds since the epoch. */
const At = Type.Integer();
/** Owner of the navigation views. */
const userId = Type.Integer({ minimum: 1 });
/** Identifies the view: the part of its address behind `#`. */
const fragment = Type.String({ minLength: 1 });

const View = exactly({
  fragment,
  isPinned: Type.Boolean(),
  /** Absent for the views that clients have built in. */
  name: Type.Optional(Type.String({ minLength: 1 })),
});

export const viewAdded = eventType('navigation-view.added.v1', exactly({ userId, view: View, at: At }));
/** The properties that changed. */
export const viewChanged = eventType(
  'navigation-view.changed.v1',
  exactly({
    userId,
    fragment,
    isPinned: Type.Optional(Type.Boolean()),
    name: Type.Optional(Type.String({ minLength: 1 })),
    at: At,
  }),
);
export const viewRemoved = eventType('navigation-view.removed.v1', exactly({ userId, fragment, at: At }));

export const viewEventTypes = [viewAdded, viewChanged, viewRemoved] as const;

export type View = EventOf<typeof viewAdded>['data']['view'];
export type ViewEvent = EventOf<(typeof viewEventTypes)[number]>;
