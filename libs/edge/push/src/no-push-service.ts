import { PushFailure } from './push-failure.js';
import { PushService } from './push-service.js';

/** No push service is configured. */
export class NoPushService extends PushService {
  override readonly isConfigured = false;

  override register(): Promise<never> {
    return Promise.reject(notConfigured());
  }

  override notify(): Promise<never> {
    return Promise.reject(notConfigured());
  }

  override notifyPlainly(): Promise<never> {
    return Promise.reject(notConfigured());
  }
}

function notConfigured(): PushFailure {
  return new PushFailure('refused', 'No push service is configured.', 'PUSH_SERVICE_NOT_CONFIGURED');
}
