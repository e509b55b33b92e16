import type { Projection } from '#read-store';
import { userFlagsProjection } from './flags/user-flags.projection.js';
import { conversationsProjection } from './topics/conversations.projection.js';
import { messageVersionsProjection } from './versions/message-versions.projection.js';

/** The read models beside the messages themselves, for the engine. */
export const readingProjections: readonly Projection<object>[] = [
  messageVersionsProjection,
  conversationsProjection,
  userFlagsProjection,
];
