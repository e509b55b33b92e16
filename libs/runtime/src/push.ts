import { BouncerPushService, NoPushService, type PushService } from '#push';
import type { Settings } from './settings/settings.js';

/** The push service that `PUSH_BOUNCER_URL` names; none on a quiet server. */
export function pushServiceOf({ pushBouncer, quiet }: Settings): PushService {
  return pushBouncer === undefined || quiet ? new NoPushService() : new BouncerPushService(pushBouncer);
}
