import { Type, type Static, type TSchema } from 'typebox';

/** How a setting is written in a request, and what it may be. */
export type SettingForm =
  | { readonly kind: 'switch' }
  | { readonly kind: 'count'; readonly max: number }
  | { readonly kind: 'number'; readonly oneOf: readonly number[] }
  | { readonly kind: 'word'; readonly oneOf: readonly string[] }
  /** Seconds; `unlimited` stands for null. */
  | { readonly kind: 'time-limit' }
  /** Days that messages are kept; `unlimited` stands for -1. */
  | { readonly kind: 'retention' }
  /** ID of a channel, or -1 for none. */
  | { readonly kind: 'channel' }
  /** Lengths in code points. */
  | { readonly kind: 'text'; readonly lengthMax: number }
  /** Code of a natural language. */
  | { readonly kind: 'language' }
  /** Name of a programming language, or empty. */
  | { readonly kind: 'code-language' }
  /** Which ways to sign in are on, by their names. */
  | { readonly kind: 'login-methods' }
  /** Service of meetings, among those that the server has. */
  | { readonly kind: 'video-chat-provider' }
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
  invite_required: onOff(
    true,
    'Clients: people need an invitation. The server has no page to sign up without one, whatever this says.',
    { by: 'owners' },
  ),
  want_advertise_in_communities_directory: onOff(false, 'Clients: the organization wishes to be listed publicly.'),
  emails_restricted_to_domains: onOff(
    false,
    'New users have e-mail addresses in the domains of `GET /realm/domains`.',
    { by: 'owners' },
  ),
  disallow_disposable_email_addresses: onOff(
    true,
    'Nobody is invited at an address of a service whose addresses are thrown away after use.',
    { by: 'owners' },
  ),
  require_unique_names: onOff(
    false,
    "Names that users get are nobody else's, without regard to case and compatibility forms, nor that of anybody deactivated.",
  ),
  waiting_period_threshold: {
    form: { kind: 'count', max: DAYS_MAX },
    schema: Type.Integer({ minimum: 0 }),
    default: 0,
    does: 'Days after which a member is a full member.',
    by: 'owners',
  },
  audit_needs_approval: onOff(
    false,
    'An auditor reads contents when another auditor or an owner has approved it; all owners are told of a change.',
    { by: 'owners' },
  ),
  name_changes_disabled: onOff(false, 'Only administrators may change names.'),
  email_changes_disabled: onOff(false, 'Only administrators may change their e-mail addresses.'),
  avatar_changes_disabled: onOff(false, 'Only administrators may change their pictures.'),
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
  message_retention_days: {
    form: { kind: 'retention' },
    schema: Type.Integer({ minimum: -1 }),
    default: -1,
    does: 'Days after which messages are removed, where the channel says nothing else: -1 keeps them. Only with `RETENTION=on`.',
    by: 'owners',
  },
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
  inline_image_preview: onOff(
    true,
    'Uploaded pictures, sounds and videos, and videos of other hosts, are shown in messages that refer to them.',
  ),
  inline_url_embed_preview: onOff(
    false,
    'Clients: show previews of websites. The server fetches none (`server_inline_url_embed_preview`).',
  ),
  video_chat_provider: {
    form: { kind: 'video-chat-provider' },
    schema: Type.Integer(),
    default: 1,
    does: 'Service of video calls, by its ID in `realm_available_video_chat_providers`; 0 for none.',
  },
  authentication_methods: {
    form: { kind: 'login-methods' },
    schema: Type.Record(Text, Type.Boolean()),
    default: {},
    does: 'Ways to sign in that are on, by their names; those that are not named stay as they are.',
    by: 'owners',
    isToldTogether: true,
  },
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
  zulip_update_announcements_stream_id: channel(
    -1,
    'Clients: channel for news of the server, or -1. The server announces none.',
  ),
  moderation_request_channel_id: channel(-1, 'Private channel that reports of messages go to, or -1.'),
  digest_emails_enabled: onOff(
    false,
    'Clients: people get digests by mail. The server sends none (`settings_send_digest_emails`).',
  ),
  digest_weekday: number(1, [0, 1, 2, 3, 4, 5, 6], 'Clients: day of the week for digests; 0 is Monday.'),
  send_welcome_emails: onOff(true, 'Clients: new users are welcomed by mail. The server sends none of that kind.'),
  message_content_allowed_in_email_notifications: onOff(true, 'Mails about missed messages contain them.'),
  require_e2ee_push_notifications: onOff(
    false,
    'Push notifications to devices that cannot decrypt them contain no messages.',
  ),
  send_channel_events_messages: onOff(true, 'Channels are told by the notification bot what becomes of them.'),
} as const satisfies Readonly<Record<string, RealmSetting>>;
