import { BouncerPushService, NoPushService, type PushService } from '#push';
import type { Settings } from './settings/settings.js';

/** The push service that `PUSH_BOUNCER_URL` names. */
export function pushServiceOf({ pushBouncer }: Settings): PushService {
  return pushBouncer === undefined ? new NoPushService() : new BouncerPushService(pushBouncer);
}
