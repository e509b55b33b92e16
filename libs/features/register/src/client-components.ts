import type { TProperties, TSchema } from 'typebox';
import type { FeatureSet } from '#feature';
import { VERSION_FIELDS } from '#realm/model';
import {
  integer,
  list,
  map,
  named,
  nullable,
  object,
  optional,
  partial,
  text,
  truth,
  anything,
  unionOfEvents,
} from '#wire';

/** Fields of keys that no feature provides (`addEmpty`). */
const EMPTY_FIELDS = {
  giphy_api_key: text,
  klipy_api_key: text,
  tenor_api_key: text,
  realm_billing: object({ has_pending_sponsorship_request: truth }),
  realm_embedded_bots: list(object({ name: text, config: map(text) })),
  realm_filters: list(anything),
  realm_incoming_webhook_bots: list(anything),
};

const QUEUE_FIELDS = {
  queue_id: nullable(text),
  last_event_id: integer,
  idle_queue_timeout_secs: optional(integer),
  ...VERSION_FIELDS,
};

/** What a client begins with: the fields that it asked for, each of which may therefore be missing, and its queue. */
function registerState(fields: TProperties): TSchema {
  return named('RegisterState', object({ ...partial({ ...fields, ...EMPTY_FIELDS }), ...QUEUE_FIELDS }));
}

/** Schemas that are put together from those of all features, by the names that routes use (`component`). */
export function clientComponents(features: FeatureSet): Readonly<Record<string, TSchema>> {
  return { Event: unionOfEvents(features.eventSchemas()), RegisterState: registerState(features.registerSchemas()) };
}
