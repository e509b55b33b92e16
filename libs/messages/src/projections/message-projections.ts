import type { Projection } from '#read-store';
import { conversationsProjection } from './conversations.projection.js';
import { keyedSendsProjection } from './keyed-sends.projection.js';
import { messagesProjection } from './messages.projection.js';
import { userFlagsProjection } from './user-flags.projection.js';

/** The read models of this feature, for the engine. */
export const messageProjections: readonly Projection<object>[] = [
  messagesProjection,
  conversationsProjection,
  keyedSendsProjection,
  userFlagsProjection,
];
