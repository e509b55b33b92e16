import type { Projection } from '#read-store';
import { conversationsProjection } from './conversations.projection.js';
import { idempotentSendsProjection } from '../send/idempotent-sends.projection.js';
import { messageVersionsProjection } from '../fetch/history/message-versions.projection.js';
import { messagesProjection } from './messages.projection.js';
import { userFlagsProjection } from '../flags/user-flags.projection.js';

/** The read models of this feature, for the engine. */
export const messageProjections: readonly Projection<object>[] = [
  messagesProjection,
  messageVersionsProjection,
  conversationsProjection,
  idempotentSendsProjection,
  userFlagsProjection,
];
