import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, noClientEvents, type Presentable } from '#feed';
import type { ZoomAccountEvent } from './zoom-account.events.js';
import type { zoomEventSchemas } from './zoom-events.schema.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof zoomEventSchemas>;

type Body = { readonly type: 'has_zoom_token'; readonly value: boolean };

/** Tells a user's clients whether calls can be made with their account at Zoom (events.md §3). */
@Injectable()
export class ZoomClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ZoomAccountEvent> = {
    // Also when the account was connected before: a client waits for the end of the sign-in.
    'zoom-account.connected.v1': ({ data: { userId } }) => [entryFor(userId, true)],
    'zoom-account.refreshed.v1': noClientEvents,
    'zoom-account.disconnected.v1': ({ data: { userId } }) => [entryFor(userId, false)],
  };
  override readonly types: ReadonlySet<string> = new Set(['has_zoom_token']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [entry.body];
  }
}

function entryFor(userId: number, value: boolean): FeedEntry<Body> {
  const body: Body = { type: 'has_zoom_token', value };
  return { type: body.type, audience: { to: 'users', ids: [userId] }, body };
}
