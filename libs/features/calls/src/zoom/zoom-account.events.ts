import { Type } from 'typebox';
import { credential, eventType, exactly, type EventOf } from '#event-store';

const userId = Type.Integer({ minimum: 1 });
/** Seconds since the epoch. */
const At = Type.Integer();
/** Encrypted (`TokenSeal`). */
const Tokens = credential(Type.String());

/** The user lets the server make calls with their account at Zoom. */
export const zoomAccountConnected = eventType('zoom-account.connected.v1', exactly({ userId, tokens: Tokens, at: At }));
/** Zoom has replaced tokens that expired. */
export const zoomAccountRefreshed = eventType('zoom-account.refreshed.v1', exactly({ userId, tokens: Tokens, at: At }));
/** Zoom does not accept the tokens any more. */
export const zoomAccountDisconnected = eventType('zoom-account.disconnected.v1', exactly({ userId, at: At }));

export const zoomAccountEventTypes = [zoomAccountConnected, zoomAccountRefreshed, zoomAccountDisconnected] as const;

export type ZoomAccountEvent = EventOf<(typeof zoomAccountEventTypes)[number]>;
