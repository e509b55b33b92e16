import type { ServerUpgraded } from './realm.events.js';

/** The highest API feature level whose features clients may rely on. */
const FEATURE_LEVEL = 421;
export const SERVER_VERSION = '0.1.0';

/** The version that ran before any was recorded. */
const FIRST_VERSION = { version: '0.1.0', featureLevel: 421 } as const;

/** The version of the server that ran last, and when it began to, in seconds since the epoch. */
export interface ServerRelease {
  readonly version: string;
  readonly featureLevel: number;
  /** Tells versions apart towards clients; 0 for the first. */
  readonly generation: number;
}

export const FIRST_RELEASE: ServerRelease = { ...FIRST_VERSION, generation: 0 };

/** What is to be recorded when this version begins to run; nothing when it ran before. */
export function decideUpgrade({ version, featureLevel }: ServerRelease, at: number): readonly ServerUpgraded[] {
  if (version === SERVER_VERSION && featureLevel === FEATURE_LEVEL) return [];
  const data = { version: SERVER_VERSION, featureLevel: FEATURE_LEVEL, at };
  return [{ type: 'organization.server-upgraded.v1', data }];
}

/** Version of the server, under the specification's names and those that existing clients read (register.md §8). */
export function versionFields(): Readonly<Record<string, string | number>> {
  return {
    service_feature_level: FEATURE_LEVEL,
    service_version: SERVER_VERSION,
    service_merge_base: SERVER_VERSION,
    zulip_feature_level: FEATURE_LEVEL,
    zulip_version: SERVER_VERSION,
    zulip_merge_base: SERVER_VERSION,
  };
}
