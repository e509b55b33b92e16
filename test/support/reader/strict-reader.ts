import { nameAtLevel } from '#realm/model';
import { isObject, Schemas } from './check.js';
import { CHANNEL_PROPERTIES, EVENTS, FLAGS, SAME } from './events.schema.js';
import type { Field } from './notation.js';
import { OBJECTS } from './objects.schema.js';
import { ALWAYS, FLAT, REGISTER } from './register.schema.js';

/** What a client asked for when it registered. */
export type Asked = Readonly<Record<string, unknown>>;

const ROLES = ['owners', 'administrators', 'moderators', 'fullmembers', 'members', 'everyone', 'internet', 'nobody'];
const HOLDERS = [
  ...ROLES.map((role) => `role:${role}`),
  nameAtLevel('defaultGroup', 'channel_creator'),
  'group_creator',
];
const words = (all: readonly string[]): string => all.map((word) => `"${word}"`).join(' | ');
const joined = (...texts: readonly (string | undefined)[]): string =>
  `{${texts.map((text = '') => (text.startsWith('{') ? text.slice(1, -1) : text)).join(', ')}}`;
const { Channel, Subscriber, Lists, MessageBase, ChannelPlace, DirectPlace, UserSettings, SettingChoices } = OBJECTS;

const objects = new Schemas(
  {
    ...OBJECTS,
    Color: 'S',
    Flag: words(FLAGS),
    GroupName: words(HOLDERS),
    Subscription: joined(Channel, Subscriber, Lists),
    NeverSubscribed: joined(Channel, Lists),
    SentMessage: `${joined(MessageBase, ChannelPlace)} | ${joined(MessageBase, DirectPlace)}`,
    OwnSettings: joined(UserSettings, 'timezone S', SettingChoices),
    Defaults: joined(UserSettings, SettingChoices),
    Register: joined(ALWAYS, ...Object.values(REGISTER), ...Object.values(FLAT)),
    ...Object.fromEntries(
      [...Object.entries(REGISTER), ...Object.entries(FLAT)].map(([key, text]) => [`key ${key}`, `{${text}}`]),
    ),
    always: `{${ALWAYS}}`,
    ...Object.fromEntries(Object.entries(EVENTS).map(([kind, text]) => [`event ${kind}`, text])),
  },
  {
    Channel: 'channel',
    Subscription: 'channel',
    NeverSubscribed: 'channel',
    Bot: 'bot',
    OwnSettings: 'userSettings',
    Defaults: 'userSettings',
    UserSettings: 'userSettings',
    Attachment: 'attachment',
    Register: 'register',
    always: 'register',
    ...Object.fromEntries(Object.keys(REGISTER).map((key) => [`key ${key}`, 'register' as const])),
  },
);
const CHANNEL = objects.fields('Channel');
const REALM = objects.fields('key realm');

/** The state is a client's, of the fields that it asked for, all of them and no others. */
export function readRegister(asked: Asked, state: unknown): string[] {
  const expected = new Map([
    ...objects.fields('always'),
    ...keysOf(asked).flatMap((key) => [...objects.fields(`key ${key}`)]),
  ]);
  return [...objects.objectComplaints(expected, state, 'register'), ...permissionComplaints(state)];
}

export function readEvent(asked: Asked, event: Readonly<Record<string, unknown>>): string[] {
  const { id, type, op, ...payload } = event;
  const kind = typeof op === 'string' ? `${String(type)}/${op}` : String(type);
  const schema = SAME[kind] ?? kind;
  if (!Object.hasOwn(EVENTS, schema)) return [`${kind} is foreign`];
  const shape = { kind: 'name', name: `event ${schema}` } as const;
  const wrong = [
    ...objects.complaints(shape, payload, kind),
    ...ruleComplaints(kind, payload),
    ...unaskedFor(asked, kind, payload),
  ];
  return Number.isSafeInteger(id) ? wrong : [...wrong, `${kind}.id: no ID`];
}

/** `null` stands for all; some clients send it as text. */
function typesIn(asked: Asked, name: string): readonly string[] | null {
  const given = asked[name];
  return (typeof given === 'string' ? JSON.parse(given) : (given ?? null)) as readonly string[] | null;
}

/** Keys of the parts of the state that the answer has. */
function keysOf(asked: Asked): string[] {
  const wanted = typesIn(asked, 'fetch_event_types') ?? typesIn(asked, 'event_types');
  const wants = (key: string): boolean => wanted?.includes(key) ?? true;
  const older = can(asked, 'user_settings_object') ? [] : Object.keys(FLAT);
  return [...Object.keys(REGISTER), ...older].filter((key) => {
    if (key === 'update_message_flags') return wants(key) && wants('message');
    if (key === 'muted_topics') return wants(key) && wanted?.includes('user_topic') !== true;
    return wants(key);
  });
}

function can(asked: Asked, capability: string): boolean {
  return (asked['client_capabilities'] as Record<string, boolean> | undefined)?.[capability] === true;
}

/** Clients go through these lists, and stop at a setting that the object itself does not have at the level. */
function permissionComplaints(state: unknown): string[] {
  const supported = isObject(state) ? state['server_supported_permission_settings'] : undefined;
  if (!isObject(supported)) return [];
  const expected = {
    realm: permissionsIn(REALM, 'realm_'),
    stream: permissionsIn(CHANNEL),
    group: permissionsIn(objects.fields('Group')),
  };
  return Object.entries(expected).flatMap(([of, names]) => {
    const listed = Object.keys(supported[of] ?? {});
    const path = `server_supported_permission_settings.${of}`;
    const missing = names.filter((name) => !listed.includes(name)).map((name) => `${path}.${name} is missing`);
    return [...missing, ...listed.filter((name) => !names.includes(name)).map((name) => `${path}.${name} is foreign`)];
  });
}

const PERMISSION = /^(?:can|create|direct)_\w+_groups?$/;

function permissionsIn(fields: ReadonlyMap<string, Field>, prefix = ''): string[] {
  const own = [...fields].filter(([name, { isOptional }]) => name.startsWith(prefix) && !isOptional);
  return own.map(([name]) => name.slice(prefix.length)).filter((name) => PERMISSION.test(name));
}

type Payload = Readonly<Record<string, any>>;

/** What the schema of one event cannot say: fields that go together, and values whose type another field names. */
function ruleComplaints(kind: string, payload: Payload): string[] {
  const property = (fields: ReadonlyMap<string, Field>, name: string, value: unknown): string[] => {
    const field = fields.get(name);
    return field === undefined
      ? [`${kind}: the property ${name} is foreign`]
      : objects.complaints(field.shape, value, `${kind} ${name}`);
  };
  switch (kind) {
    case 'update_message':
      return editComplaints(payload);
    case 'stream/update': {
      const isKnown = CHANNEL_PROPERTIES.includes(payload['property']) || /^can_\w+_group$/.test(payload['property']);
      return isKnown
        ? property(CHANNEL, payload['property'], payload['value'])
        : [`${kind}: the property ${payload['property']} is foreign`];
    }
    case 'subscription/update':
      return property(objects.fields('Subscriber'), payload['property'], payload['value']);
    case 'user_settings/update':
      return property(objects.fields('OwnSettings'), payload['property'], payload['value']);
    case 'realm_user_settings_defaults/update':
      return property(objects.fields('Defaults'), payload['property'], payload['value']);
    case 'update_display_settings':
      return property(objects.fields(`key ${kind}`), payload['setting_name'], payload['setting']);
    case 'update_global_notifications':
      return property(objects.fields(`key ${kind}`), payload['notification_name'], payload['setting']);
    case 'realm/update':
      return property(REALM, `realm_${payload['property']}`, payload['value']);
    case 'realm/update_dict':
      return Object.entries(payload['data']).flatMap(([name, value]) =>
        property(REALM, name === 'max_file_upload_size_mib' ? name : `realm_${name}`, value),
      );
    case 'update_message_flags/remove':
      return (payload['flag'] === 'read') === (payload['message_details'] !== undefined)
        ? []
        : [`${kind}: details go with read alone`];
    default:
      return [];
  }
}

/** Clients take an `update_message` for a move by its fields, and refuse a half one (clients.md §1.4). */
function editComplaints(payload: Payload): string[] {
  const has = (name: string): boolean => payload[name] !== undefined;
  const moves = has('subject') || has('new_stream_id');
  const edit = ['orig_content', 'orig_rendered_content', 'content', 'rendered_content', 'is_me_message'];
  const rules: readonly (readonly [boolean, string])[] = [
    [has('stream_id') === has('stream_name'), 'stream_id and stream_name go together'],
    [
      has('propagate_mode') === moves && has('orig_subject') === moves,
      'a move has propagate_mode and orig_subject, nothing else has',
    ],
    [has('subject') === has('topic_links'), 'subject and topic_links go together'],
    [
      payload['rendering_only'] === true || edit.every((name) => has(name) === has('content')),
      'an edit has all of its fields',
    ],
    [payload['message_ids'].includes(payload['message_id']), 'the message is among the messages'],
  ];
  return rules.flatMap(([holds, rule]) => (holds ? [] : [`update_message: ${rule}`]));
}

/** What the client's capabilities and types exclude. */
function unaskedFor(asked: Asked, kind: string, payload: Payload): string[] {
  const types = typesIn(asked, 'event_types');
  const type = kind.split('/')[0]!;
  const rules: readonly (readonly [boolean, string])[] = [
    [type === 'heartbeat' || type === 'restart' || types?.includes(type) !== false, 'it was not asked for'],
    [type !== 'muted_topics' || types?.includes('user_topic') !== true, 'user_topic tells it'],
    [
      !kind.startsWith('update_display') && !kind.startsWith('update_global')
        ? true
        : !can(asked, 'user_settings_object'),
      'user_settings tells it',
    ],
    [
      kind !== 'delete_message' || (payload['message_ids'] !== undefined) === can(asked, 'bulk_message_deletion'),
      'bulk_message_deletion',
    ],
    [
      kind !== 'presence' || (payload['presences'] !== undefined) === can(asked, 'simplified_presence_events'),
      'simplified_presence_events',
    ],
    [
      kind !== 'presence' ||
        (payload['email'] !== undefined) === (payload['presences'] === undefined && asked['slim_presence'] !== true),
      'slim_presence',
    ],
    [kind !== 'realm_linkifiers' || can(asked, 'linkifier_url_template'), 'linkifier_url_template'],
    [
      type !== 'typing' || payload['message_type'] !== 'stream' || can(asked, 'stream_typing_notifications'),
      'stream_typing_notifications',
    ],
  ];
  return rules.flatMap(([holds, rule]) => (holds ? [] : [`${kind}: ${rule}`]));
}
