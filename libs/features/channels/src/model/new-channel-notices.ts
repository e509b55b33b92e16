import { Type } from 'typebox';
import { exactly } from '#event-store';

/** Notices that a request to create channels or to subscribe to them entails. */
export const NewChannelNotices = exactly({
  /** How many events the request recorded, including this one; they are consecutive in the stream. */
  facts: Type.Integer({ minimum: 1 }),
  /** Announce the created channels to all users. */
  announces: Type.Boolean(),
  /** Tell users who were subscribed by another user. */
  tells: Type.Boolean(),
  /** Post an introduction in each created channel; absent in old events. */
  introduces: Type.Optional(Type.Boolean()),
});
