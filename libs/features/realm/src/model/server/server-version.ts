import { integer, text } from '#wire';
import { FEATURE_LEVEL, releaseAt } from './interface-levels.js';
import type { ServerUpgraded } from '../realm.events.js';

export const SERVER_VERSION = '0.1.0';

/** The version that ran before any was recorded. */
const FIRST_VERSION = { version: '0.1.0', featureLevel: 421 } as const;

/** The version of the server that ran last, and when it began to, in seconds since the epoch. */
export interface ServerRelease {
  readonly version: string;
  readonly featureLevel: number;
  /** Start of the version, in seconds since the epoch, by which clients tell versions apart. */
  readonly generation: number;
}

/** The version that the organization began with. */
export function firstRelease(createdAt: number): ServerRelease {
  return { ...FIRST_VERSION, generation: createdAt };
}

/** What is to be recorded when this version begins to run; nothing when it ran last. */
export function decideUpgrade({ version, featureLevel }: ServerRelease, at: number): readonly ServerUpgraded[] {
  if (version === SERVER_VERSION && featureLevel === FEATURE_LEVEL) return [];
  const data = { version: SERVER_VERSION, featureLevel: FEATURE_LEVEL, at };
  return [{ type: 'organization.server-upgraded.v1', data }];
}

export const VERSION_FIELDS = {
  service_feature_level: integer,
  service_version: text,
  service_merge_base: text,
  zulip_feature_level: integer,
  zulip_version: text,
  zulip_merge_base: text,
};

/**
 * Version of the server, under its own names and those that existing clients read (register.md §8), which take the version for
 * that of a release of the interface.
 */
export function versionFields() {
  const release = releaseAt();
  return {
    service_feature_level: FEATURE_LEVEL,
    service_version: SERVER_VERSION,
    service_merge_base: SERVER_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    zulip_version: release,
    zulip_merge_base: release,
  };
}
