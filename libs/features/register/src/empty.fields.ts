import { type JsonFields, type RegisterContext, wants } from '#feature';

type Fields = Readonly<Record<string, unknown>>;

/** Fields by key of `fetch_event_types`, with their values for features that do not exist. Clients need every field. */
const EMPTY: Readonly<Record<string, Fields>> = {
  giphy: { giphy_api_key: '' },
  klipy: { klipy_api_key: '' },
  realm_billing: { realm_billing: { has_pending_sponsorship_request: false } },
  realm_embedded_bots: { realm_embedded_bots: [] },
  realm_filters: { realm_filters: [] },
  realm_incoming_webhook_bots: { realm_incoming_webhook_bots: [] },
  tenor: { tenor_api_key: '' },
};

/** Adds the empty fields of the keys that no feature provides (register.md §2). */
export function addEmpty(fields: JsonFields, context: RegisterContext, answered: ReadonlySet<string>): void {
  for (const [key, empty] of Object.entries(EMPTY)) {
    if (answered.has(key) || !wants(context, key)) continue;
    fields.addAll(empty);
  }
}
