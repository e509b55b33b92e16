import type { QueueSettings } from '#feed';
import type { Directory } from '#people';
import type { User } from '#users/model';
import type { JsonFields } from './json-fields.js';

/** The registering user, the capabilities of the client, and the requested parts of the state. */
export interface RegisterContext {
  readonly directory: Directory;
  readonly viewer: User;
  readonly settings: QueueSettings;
  /** Keys of `fetch_event_types`; null = all of them. Unknown keys select nothing. */
  readonly keys: ReadonlySet<string> | null;
  /** Whether the client asked for lists of subscribers. */
  readonly includeSubscribers: boolean;
  /** Whether the client understands the custom field type for pronouns. */
  readonly pronouns: boolean;
  /** Address of the organization, without a trailing slash. */
  readonly siteUrl: string;
  readonly nowMs: number;
  /** Presence of people seen in so many days; 0 for the viewer's own. */
  readonly presenceHistoryDays: number;
}

/** Whether the client asked for the part of the state of this key of `fetch_event_types`. */
export function wants({ keys }: RegisterContext, key: string): boolean {
  return keys === null || keys.has(key);
}

/** Whether the client declared the capability. */
export function can({ settings }: RegisterContext, capability: string): boolean {
  return settings.capabilities.includes(capability);
}

/**
 * A feature's part of the register response: the state that its client events change afterwards (register.md).
 */
export abstract class RegisterFields {
  /** Keys of `fetch_event_types` that select these fields. */
  abstract readonly keys: readonly string[];

  /** Adds the fields that the client asked for. Called while no projection and no directory moves, so it must be quick. */
  abstract addTo(fields: JsonFields, context: RegisterContext): void | Promise<void>;

  /**
   * Builds in slices what `addTo` keeps for the next replies, such as the texts of thousands of users after a start. Called while
   * events go on, so `addTo` builds again what has changed since.
   */
  warm?(context: RegisterContext): Promise<void>;

  /**
   * For fields that take long to read: starts to record the events that change them. Called while no projection and no directory
   * moves; `undefined` when the client asked for none of them.
   */
  prepare?(context: RegisterContext): PreparedFields | undefined;
}

/** Fields that are read before the moment for which they stand, and brought up to date in it. */
export interface PreparedFields {
  /** Reads the fields, once. Events become visible meanwhile. */
  read(): Promise<void>;
  /** Whether what was read can be brought up to date quickly; otherwise it had better be read again. */
  readonly isUsable: boolean;
  /** In place of `RegisterFields.addTo`. Called while no projection and no directory moves. */
  addTo(fields: JsonFields, context: RegisterContext): Promise<void>;
  /** Stops recording events. */
  end(): void;
}
