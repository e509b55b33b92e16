import type { Fields } from '../wire/types.js';
import { listed } from './list-fields.js';
import { nothing, reducing, type Reducer, type Reducers } from './reducer.js';
import { type State, withEntry, withField, withFields } from './state.js';

/** An event that carries the whole field anew. */
function replaced(field: string, key = field): Reducer {
  return (state, event) => withField(state, field, event[key]);
}

interface Setting {
  readonly property: string;
  readonly value: unknown;
}

export const organizationReducers = {
  alert_words: replaced('alert_words'),
  muted_topics: replaced('muted_topics'),
  muted_users: replaced('muted_users'),
  onboarding_steps: replaced('onboarding_steps'),
  realm_emoji: replaced('realm_emoji'),
  realm_linkifiers: replaced('realm_linkifiers'),
  realm_playgrounds: replaced('realm_playgrounds'),
  has_zoom_token: replaced('has_zoom_token', 'value'),

  realm: reducing<Setting & { readonly data?: Fields }>((state, { op, property, value, data }) => {
    switch (op) {
      case 'update_dict':
        return withRealm(state, data ?? {});
      case 'update':
        // What meetings are held on follows from the organization's setting.
        return withRealm(property === 'jitsi_server_url' ? withField(state, property, value) : state, {
          [property]: value,
        });
      case 'deactivated':
        return state;
      default:
        return undefined;
    }
  }),

  restart: (state, { type: _type, id: _id, ...fields }) => withFields(state, fields),

  realm_domains: listed('realm_domains', 'realm_domain', 'domain'),

  realm_user_settings_defaults: reducing<Setting>((state, { property, value }) =>
    withEntry(state, 'realm_user_settings_defaults', property, value),
  ),

  user_settings: reducing<Setting>((state, { property, value }) =>
    withoutDrafts(withEntry(state, 'user_settings', property, value), property),
  ),
  update_display_settings: reducing<{ setting_name: string; setting: unknown }>((state, event) =>
    withoutDrafts(withField(state, event.setting_name, event.setting), event.setting_name),
  ),
  update_global_notifications: reducing<{ notification_name: string; setting: unknown }>((state, event) =>
    withField(state, event.notification_name, event.setting),
  ),

  attachment: nothing,
  heartbeat: nothing,
  invites_changed: nothing,
  realm_export: nothing,
  realm_export_consent: nothing,
} satisfies Reducers;

function withRealm(state: State, changed: Fields): State {
  const methods = changed['authentication_methods'] as { readonly Email?: { readonly enabled: boolean } } | undefined;
  const isByEmail = methods?.Email?.enabled === true;
  const byEmail = methods && { email_auth_enabled: isByEmail, password_auth_enabled: isByEmail };
  return withFields(state, { ...changed, ...byEmail }, 'realm_');
}

/** Turning their synchronization off erases drafts without an event of its own, and turning it on begins with none. */
function withoutDrafts(state: State, setting: string): State {
  return setting === 'enable_drafts_synchronization' ? withField(state, 'drafts', []) : state;
}
