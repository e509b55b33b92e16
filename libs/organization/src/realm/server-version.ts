/** The highest API feature level whose features clients may rely on. */
const FEATURE_LEVEL = 421;
export const SERVER_VERSION = '0.1.0';

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
