import type { Fields } from '../wire/types.js';
import { lacking } from './ordered.js';
import { reducing, type Reducer, type Reducers } from './reducer.js';
import { type State, withField } from './state.js';

type Numbers = Readonly<Record<string, number>>;

/** A change of a list in the register answer; the list as it is, when it was not fetched. */
function changing(state: State, field: string, change: (list: readonly Fields[]) => readonly Fields[] | undefined) {
  const list = state.fields[field] as readonly Fields[] | undefined;
  if (list === undefined) return state;
  const next = change(list);
  return next && withField(state, field, next);
}

const by =
  (...keys: readonly string[]) =>
  (a: Fields, b: Fields): number => {
    for (const key of keys) {
      const difference = ((a as Numbers)[key] ?? 0) - ((b as Numbers)[key] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  };

/** A list whose events name what is added or changed, alone or in a list, and the ID of what is gone. */
function kept(field: string, names: { one: string; many?: string; gone: string; id: string }, order: Order): Reducer {
  return (state, event) =>
    changing(state, field, (list) => {
      const one = event[names.one] as Fields | undefined;
      const many = (names.many === undefined ? undefined : event[names.many]) as readonly Fields[] | undefined;
      const put = [...(many ?? []), ...(one === undefined ? [] : [one])];
      const ids = new Set<unknown>([event[names.gone], ...put.map((added) => added[names.id])]);
      return [...list.filter((before) => !ids.has(before[names.id])), ...put].sort(order);
    });
}
type Order = (a: Fields, b: Fields) => number;

export const ownReducers = {
  // The newest edit first.
  drafts: kept('drafts', { one: 'draft', many: 'drafts', gone: 'draft_id', id: 'id' }, (a, b) =>
    by('timestamp', 'id')(b, a),
  ),
  saved_snippets: kept('saved_snippets', { one: 'saved_snippet', gone: 'saved_snippet_id', id: 'id' }, by('id')),
  scheduled_messages: kept(
    'scheduled_messages',
    { one: 'scheduled_message', many: 'scheduled_messages', gone: 'scheduled_message_id', id: 'scheduled_message_id' },
    by('scheduled_delivery_timestamp', 'scheduled_message_id'),
  ),
  reminders: kept(
    'reminders',
    { one: 'reminder', many: 'reminders', gone: 'reminder_id', id: 'reminder_id' },
    by('scheduled_delivery_timestamp', 'reminder_id'),
  ),

  navigation_view: reducing<{ navigation_view?: Fields; fragment?: string; data?: Fields }>((state, event) =>
    changing(state, 'navigation_views', (views) => {
      const isIt = (view: Fields): boolean => view['fragment'] === event.fragment;
      switch (event.op) {
        case 'add':
          return [...views, event.navigation_view ?? {}];
        case 'update':
          return views.map((view) => (isIt(view) ? { ...view, ...event.data } : view));
        case 'remove':
          return views.filter((view) => !isIt(view));
        default:
          return undefined;
      }
    }),
  ),

  channel_folder: reducing<FolderEvent>((state, { op, channel_folder: added, channel_folder_id: id, data, order }) =>
    changing(state, 'channel_folders', (folders) => {
      switch (op) {
        case 'add':
          return [...folders, added ?? {}].sort(by('order'));
        case 'update':
          return folders.map((one) => (one['id'] === id ? { ...one, ...data } : one)).sort(by('order'));
        case 'reorder':
          return folders.map((one) => ({ ...one, order: order?.indexOf(one['id'] as number) })).sort(by('order'));
        default:
          return undefined;
      }
    }),
  ),

  push_device: reducing<{ push_account_id: string; status: string; error_code?: string }>((state, event) => {
    const devices = state.fields['push_devices'] as Fields | undefined;
    const { push_account_id: id, status, error_code } = event;
    const changed = { status, ...(error_code === undefined ? {} : { error_code }) };
    return devices === undefined ? state : withField(state, 'push_devices', { ...devices, [id]: changed });
  }),

  device: reducing<{ device_id: string }>((state, { op, device_id: id, type: _type, id: _id, ...change }) => {
    const devices = state.fields['devices'] as Readonly<Record<string, Fields>> | undefined;
    if (devices === undefined) return state;
    switch (op) {
      case 'add':
        return withField(state, 'devices', { ...devices, [id]: NEW_DEVICE });
      case 'update':
        return withField(state, 'devices', { ...devices, [id]: { ...devices[id], ...change } });
      case 'remove':
        return withField(state, 'devices', lacking(devices, id));
      default:
        return undefined;
    }
  }),
} satisfies Reducers;

interface FolderEvent {
  readonly channel_folder?: Fields;
  readonly channel_folder_id?: number;
  readonly data?: Fields;
  readonly order?: readonly number[];
}

const NEW_DEVICE: Fields = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};
