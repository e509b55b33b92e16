import type { Directory } from '#people';
import { isActiveOwner } from '../model/role.access.js';
import type { ApiKeys } from './api-keys.js';

/**
 * Credentials of an owner in the format of command-line clients. The key is derived from the server's secret, so a lost file
 * can always be written again.
 * @param email of the owner; the oldest active one when absent
 * @returns undefined when there is no such owner, or none whose key is derived from this secret
 */
export function ownerZuliprc(
  directory: Directory,
  apiKeys: ApiKeys,
  siteUrl: string,
  email?: string,
): string | undefined {
  for (const owner of directory.users()) {
    if (!isActiveOwner(owner)) continue;
    if (email !== undefined && owner.email.toLowerCase() !== email.toLowerCase()) continue;
    const { userId, apiKey } = owner;
    if (apiKey === undefined) continue;
    const key = apiKeys.keyOf(userId, apiKey.generation);
    if (apiKeys.matches(key, apiKey.hash)) return `[api]\nemail=${owner.email}\nkey=${key}\nsite=${siteUrl}\n`;
  }
  return undefined;
}
