import { Type, type Static, type TSchema } from 'typebox';

/** How a setting is written in a request, and what it may be. */
export type SettingForm =
  | { readonly kind: 'switch' }
  | { readonly kind: 'count'; readonly max: number }
  | { readonly kind: 'number'; readonly oneOf: readonly number[] }
  | { readonly kind: 'word'; readonly oneOf: readonly string[] }
  /** Seconds; `unlimited` stands for null. */
  | { readonly kind: 'time-limit' }
  /** ID of a channel, or -1 for none. */
  | { readonly kind: 'channel' }
  /** Lengths in code points. */
  | { readonly kind: 'text'; readonly lengthMax: number }
  /** Code of a natural language. */
  | { readonly kind: 'language' }
  /** Name of a programming language, or empty. */
  | { readonly kind: 'code-language' }
  /** Address of a website; `default` stands for null. */
  | { readonly kind: 'website' };

/** A setting of the organization that can be changed. */
export interface RealmSetting<Schema extends TSchema = TSchema> {
  readonly form: SettingForm;
  /** Of the value as it is recorded. */
  readonly schema: Schema;
  readonly default: Static<Schema>;
  /** What it decides; "Clients" begins a setting that the server only keeps and tells. */
  readonly does: string;
  /** Administrators may change a setting, unless it is for owners alone. */
  readonly by?: 'owners';
  /** Clients are told in one `realm/update_dict` with others, and not in a `realm/update` of its own (events.md §7). */
  readonly isToldTogether?: true;
}

type More = Pick<RealmSetting, 'by' | 'isToldTogether'>;

const Text = Type.String();
const Seconds = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);

const onOff = (value: boolean, does: string, more: More = {}) => ({
  form: { kind: 'switch' } as const,
  schema: Type.Boolean(),
  default: value,
  does,
  ...more,
});
const number = (value: number, oneOf: readonly number[], does: string) => ({
  form: { kind: 'number', oneOf } as const,
  schema: Type.Integer(),
  default: value,
  does,
});
const word = <const Words extends readonly string[]>(
  value: Words[number],
  oneOf: Words,
  does: string,
  more: More = {},
) => ({
  form: { kind: 'word', oneOf } as const,
  schema: Type.Unsafe<Words[number]>(Type.Union(oneOf.map((one) => Type.Literal(one)))),
  default: value,
  does,
  ...more,
});
const timeLimit = (value: number, does: string, more: More = {}) => ({
  form: { kind: 'time-limit' } as const,
  schema: Seconds,
  default: value,
  does,
  ...more,
});
const channel = (value: number, does: string) => ({
  form: { kind: 'channel' } as const,
  schema: Type.Integer({ minimum: -1 }),
  default: value,
  does,
});
const text = (lengthMax: number, does: string) => ({
  form: { kind: 'text', lengthMax } as const,
  schema: Text,
  default: '',
  does,
});

/** A hundred years. */
const DAYS_MAX = 36_500;

/** Unspecified, business, open source, education, and so on, as clients know them. */
const ORGANIZATION_TYPES = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000];

/**
 * Every setting of the organization that can be changed (register.md §3), by its name in `PATCH /realm`: `realm_` and this is
 * its name in the register response. Parameters, recorded events, client events and documentation are made from it.
 */
export const REALM_SETTING_TABLE = {
  /** Begins as what the organization was created with. */
  name: text(40, 'Name of the organization.'),
  description: text(1000, 'Markdown that describes the organization in `GET /server_settings`.'),
  org_type: number(0, ORGANIZATION_TYPES, 'Clients: kind of the organization.'),
  default_language: {
    form: { kind: 'language' },
    schema: Text,
    default: 'en',
    does: 'Language that new users begin with.',
  },
  emails_restricted_to_domains: onOff(
    false,
    'New users have e-mail addresses in the domains of `GET /realm/domains`.',
    { by: 'owners' },
  ),
  require_unique_names: onOff(false, "New users have names that nobody else's equals, without regard to case."),
  waiting_period_threshold: {
    form: { kind: 'count', max: DAYS_MAX },
    schema: Type.Integer({ minimum: 0 }),
    default: 0,
    does: 'Days after which a member is a full member.',
    by: 'owners',
  },
  name_changes_disabled: onOff(false, 'Only administrators may change names.'),
  email_changes_disabled: onOff(false, 'Only administrators may change their e-mail addresses.'),
  allow_message_editing: onOff(true, 'People may edit what they sent.', { isToldTogether: true }),
  message_content_edit_limit_seconds: timeLimit(600, 'How long content can be edited.', { isToldTogether: true }),
  message_content_delete_limit_seconds: timeLimit(600, 'How long people may delete what they sent.'),
  move_messages_within_stream_limit_seconds: timeLimit(604_800, 'How old messages can be moved between topics.'),
  move_messages_between_streams_limit_seconds: timeLimit(604_800, 'How old messages can be moved between channels.'),
  message_edit_history_visibility_policy: word(
    'all',
    ['all', 'moves', 'none'],
    'What of the edit history of messages is shown.',
  ),
  topics_policy: word(
    'allow_empty_topic',
    ['allow_empty_topic', 'disable_empty_topic'],
    'Whether messages need a topic, in channels that leave it to the organization.',
    { isToldTogether: true },
  ),
  enable_read_receipts: onOff(true, 'People can see who read a message.'),
  presence_disabled: onOff(false, 'Nobody is told who is online.'),
  enable_guest_user_indicator: onOff(true, 'Clients: mark guests by "(guest)" behind their names.'),
  enable_guest_user_dm_warning: onOff(true, 'Clients: warn who writes to guests directly.'),
  enable_spectator_access: onOff(false, 'Users without an account may read web-public channels.'),
  video_chat_provider: number(1, [0, 1], 'Clients: service of video calls; 0 for none, 1 for Jitsi Meet.'),
  jitsi_server_url: {
    form: { kind: 'website' },
    schema: Type.Union([Text, Type.Null()]),
    default: null,
    does: "Clients: server of video calls with Jitsi Meet; `default` for the server's.",
  },
  giphy_rating: number(2, [0, 1, 2, 3, 4, 5], 'Clients: rating of the GIFs offered, by `giphy_rating_options`.'),
  default_code_block_language: {
    form: { kind: 'code-language' },
    schema: Text,
    default: '',
    does: 'Language of code blocks that name none.',
  },
  welcome_message_custom_text: text(8000, 'Markdown of the direct message to each new user; empty for none.'),
  /** 0 until it is set for the first time, and then the oldest default channel. */
  new_stream_announcements_stream_id: channel(0, 'Channel in which new channels are announced, or -1.'),
  signup_announcements_stream_id: channel(-1, 'Channel in which new users are announced, or -1.'),
  moderation_request_channel_id: channel(-1, 'Channel that reports of messages go to, or -1.'),
  send_channel_events_messages: onOff(true, 'Channels are told by the notification bot what becomes of them.'),
} as const satisfies Readonly<Record<string, RealmSetting>>;

/** A setting that the register response shows and that cannot be changed here. */
export interface FixedSetting {
  readonly default: unknown;
  readonly because: string;
}

const fixed = <const Value>(value: Value, because: string) => ({ default: value, because });

const NO_MAIL = 'No e-mail is sent.';
const NO_SELF_SERVICE = 'Accounts are made by owners alone; nobody can sign up.';
const NO_PICTURES = 'No pictures are fetched, uploaded or shown in place.';

/** Settings of `PATCH /realm` whose feature does not exist, with the value that says how it is without. */
export const FIXED_SETTING_TABLE = {
  invite_required: fixed(true, NO_SELF_SERVICE),
  disallow_disposable_email_addresses: fixed(true, NO_SELF_SERVICE),
  avatar_changes_disabled: fixed(false, NO_PICTURES),
  want_advertise_in_communities_directory: fixed(false, 'There is no directory of organizations.'),
  /** -1 keeps messages for ever. */
  message_retention_days: fixed(-1, 'Messages are kept for ever.'),
  inline_image_preview: fixed(false, NO_PICTURES),
  inline_url_embed_preview: fixed(false, 'Links are never fetched.'),
  digest_emails_enabled: fixed(false, NO_MAIL),
  digest_weekday: fixed(1, NO_MAIL),
  send_welcome_emails: fixed(false, NO_MAIL),
  message_content_allowed_in_email_notifications: fixed(true, NO_MAIL),
  zulip_update_announcements_stream_id: fixed(-1, 'The server announces no versions of itself.'),
  require_e2ee_push_notifications: fixed(false, 'No push notifications are sent.'),
  authentication_methods: fixed(
    { Email: { enabled: true, available: true } },
    'E-mail address and password are the only way to log in.',
  ),
} as const satisfies Readonly<Record<string, FixedSetting>>;
