import type { Fields } from '../wire/types.js';
import { by, changing, kept, listed } from './list-fields.js';
import { lacking } from './ordered.js';
import { reducing, type Reducers } from './reducer.js';
import { withEntry, withField } from './state.js';

const folderChanged = listed('channel_folders', 'channel_folder', 'id', by('order'), 'channel_folder_id');

export const ownReducers = {
  // The newest edit first.
  drafts: kept('drafts', 'id', (a, b) => by('timestamp', 'id')(b, a)),
  saved_snippets: kept('saved_snippets', 'id', by('id')),
  scheduled_messages: kept(
    'scheduled_messages',
    'scheduled_message_id',
    by('scheduled_delivery_timestamp', 'scheduled_message_id'),
  ),
  reminders: kept('reminders', 'reminder_id', by('scheduled_delivery_timestamp', 'reminder_id')),

  navigation_view: listed('navigation_views', 'navigation_view', 'fragment'),
  channel_folder: (state, event) =>
    event.op === 'reorder'
      ? changing(state, 'channel_folders', (folders) =>
          folders
            .map((one) => ({ ...one, order: (event['order'] as readonly unknown[]).indexOf(one['id']) }))
            .sort(by('order')),
        )
      : folderChanged(state, event),

  push_device: reducing<{ push_account_id: string; status: string; error_code?: string }>((state, event) => {
    const { push_account_id: id, status, error_code } = event;
    return withEntry(state, 'push_devices', id, { status, ...(error_code !== undefined && { error_code }) });
  }),

  device: reducing<{ device_id: string }>((state, { op, device_id: id, type: _type, id: _id, ...change }) => {
    const devices = (state.fields.devices ?? {}) as Readonly<Record<string, Fields>>;
    switch (op) {
      case 'add':
        return withEntry(state, 'devices', id, NEW_DEVICE);
      case 'update':
        return withEntry(state, 'devices', id, { ...devices[id], ...change });
      case 'remove':
        return withField(state, 'devices', lacking(devices, id));
      default:
        return undefined;
    }
  }),
} satisfies Reducers;

const NEW_DEVICE: Fields = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};
