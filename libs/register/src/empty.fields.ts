import { type JsonFields, type RegisterContext, wants } from '#feature';

const FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
} as const;

/** Only for clients that understand it. */
const PRONOUNS = { PRONOUNS: { id: 8, name: 'Pronouns' } } as const;

type Fields = Readonly<Record<string, unknown>>;

/** Fields by key of `fetch_event_types`, with their values for features that do not exist. Clients need every field. */
const EMPTY: Readonly<Record<string, Fields | ((context: RegisterContext) => Fields)>> = {
  giphy: { giphy_api_key: '' },
  klipy: { klipy_api_key: '' },
  onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
  push_device: { push_devices: {} },
  device: { devices: {} },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_emoji: { realm_emoji: {} },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  stop_words: { stop_words: [] },
  tenor: { tenor_api_key: '' },
  video_calls: { has_zoom_token: false },
  custom_profile_fields: ({ pronouns }) => ({
    custom_profile_fields: [],
    custom_profile_field_types: pronouns ? { ...FIELD_TYPES, ...PRONOUNS } : FIELD_TYPES,
  }),
};

/** Adds the empty fields of the keys that no feature provides (register.md §2). */
export function addEmpty(fields: JsonFields, context: RegisterContext, answered: ReadonlySet<string>): void {
  for (const [key, empty] of Object.entries(EMPTY)) {
    if (answered.has(key) || !wants(context, key)) continue;
    fields.addAll(typeof empty === 'function' ? empty(context) : empty);
  }
}
