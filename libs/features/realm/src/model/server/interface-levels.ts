/**
 * Names in the interface that depend on the API feature level. Clients read the level from the server's answers, and expect the fields and
 * words of that level: of another one, a client refuses the answer, or leaves a page blank.
 */

/** The level that the server advertises: clients may rely on the features up to it. */
export const FEATURE_LEVEL = 421;

/** First levels of releases, ascending; a level between two belongs to the earlier. */
const RELEASES: readonly (readonly [level: number, release: string])[] = [
  [156, '6.0'],
  [185, '7.0'],
  [237, '8.0'],
  [277, '9.0'],
  [371, '10.0'],
  [421, '11.0'],
];

/** The release that fits a level: clients refuse servers by their release. */
export function releaseAt(level = FEATURE_LEVEL): string {
  return RELEASES.findLast(([first]) => first <= level)?.[1] ?? '0.0';
}

export interface Levels {
  /** First level that has it. */
  readonly from?: number;
  /** Last level that has it. */
  readonly until?: number;
  /** Its name before `from`; absent when it is new. */
  readonly before?: string;
}

/** Everything that is not at every level from 277 on, by kind and name. What a later level only adds may be told as well: clients skip it. */
export const INTERFACE_LEVELS = {
  /** Fields of the register response. */
  register: {
    realm_is_zephyr_mirror_realm: { until: 425 },
    realm_send_channel_events_messages: { from: 434 },
    server_report_message_types: { from: 435 },
    gif_rating_options: { from: 442, before: 'giphy_rating_options' },
    realm_gif_rating_policy: { from: 453, before: 'realm_giphy_rating' },
    tenor_api_key: { from: 442 },
    klipy_api_key: { from: 479 },
    realm_uuid: { from: 466 },
    push_devices: { from: 406, until: 467 },
    devices: { from: 468 },
    idle_queue_timeout_secs: { from: 481 },
  },
  /** Properties of `realm` events. */
  realm: {
    send_channel_events_messages: { from: 434 },
    gif_rating_policy: { from: 453, before: 'giphy_rating' },
  },
  userSettings: { web_inbox_show_channel_folders: { from: 431 } },
  /** Fields of channels, also as permission settings. */
  channel: {
    can_resolve_topics_group: { from: 402 },
    can_delete_any_message_group: { from: 407 },
    can_delete_own_message_group: { from: 407 },
    can_create_topic_group: { from: 441 },
  },
  /** Groups that permission settings begin with. */
  defaultGroup: { channel_creator: { from: 427, before: 'stream_creator_or_nobody' } },
  bot: {
    email: { until: 473 },
    full_name: { until: 473 },
    bot_type: { until: 473 },
    is_active: { until: 473 },
    api_key: { until: 473 },
    avatar_url: { until: 473 },
    owner_id: { until: 473 },
  },
  /** An attachment's times are in milliseconds before level 443. */
  attachment: { messages: { until: 471 } },
  clientEvent: {
    update_display_settings: { until: 438 },
    update_global_notifications: { until: 438 },
    push_device: { from: 406, until: 467 },
    device: { from: 468 },
  },
  reaction: { user: { from: 339, until: 483 } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Levels>>>>;

export type LevelledKind = keyof typeof INTERFACE_LEVELS;

function levelsOf(kind: LevelledKind, name: string): Levels {
  const levels: Readonly<Record<string, Levels>> = INTERFACE_LEVELS[kind];
  return Object.hasOwn(levels, name) ? (levels[name] ?? {}) : {};
}

/** Whether the interface of this level has the name. */
export function isAtLevel(kind: LevelledKind, name: string, level = FEATURE_LEVEL): boolean {
  const { from = 0, until = Infinity } = levelsOf(kind, name);
  return from <= level && level <= until;
}

/** What the interface of this level calls it. */
export function nameAtLevel(kind: LevelledKind, name: string, level = FEATURE_LEVEL): string {
  const { from = 0, before = name } = levelsOf(kind, name);
  return level < from ? before : name;
}
