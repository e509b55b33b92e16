import type { QueueSettings } from '#feed';
import type { Directory, User } from '#organization';

/** For whom the state is put together, and which parts of it. */
export interface Wanted {
  readonly directory: Directory;
  readonly viewer: User;
  readonly settings: QueueSettings;
  /** null = everything. Unknown names want nothing. */
  readonly keys: ReadonlySet<string> | null;
  /** Lists of subscribers are wanted. */
  readonly includeSubscribers: boolean;
  /** The custom field type for pronouns is understood. */
  readonly pronouns: boolean;
  /** Where the organization is reached, without a slash at the end. */
  readonly siteUrl: string;
  readonly nowMs: number;
}

export function wants({ keys }: Wanted, key: string): boolean {
  return keys === null || keys.has(key);
}

export function can({ settings }: Wanted, capability: string): boolean {
  return settings.capabilities.includes(capability);
}
