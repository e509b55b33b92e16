import { randomBytes } from 'node:crypto';
import type { NewSecrets } from '#bots/model';
import type { ApiKeys } from './api-keys.js';

const SERVICE_TOKEN_BYTES = 24;

/** Secrets of a new bot, or of one with a new owner. */
export function newBotSecrets(apiKeys: ApiKeys): NewSecrets {
  return {
    apiKeyHash: (userId, generation) => apiKeys.hashOf(apiKeys.keyOf(userId, generation)),
    serviceToken: randomBytes(SERVICE_TOKEN_BYTES).toString('base64url'),
  };
}
