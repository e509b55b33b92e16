import type { TProperties, TSchema } from 'typebox';
import { REFUSAL_CODES, type RefusalCode } from '#kernel';
import {
  described,
  exact,
  integer,
  list,
  named,
  nullable,
  number,
  object,
  oneOf,
  optional,
  partial,
  text,
  truth,
  words,
} from '#wire';

/** Fields of refusals beside `result`, `msg` and `code` (rules.md §1). Other codes have none. */
const FAILURE_FIELDS: Partial<Record<RefusalCode, TProperties>> = {
  BAD_REQUEST: { empty_topic_display_name: described(optional(text), 'Where a topic is required.') },
  METHOD_NOT_ALLOWED: { allowed_methods: optional(list(text)) },
  REQUEST_VARIABLE_MISSING: { var_name: text },
  REQUEST_VARIABLE_INVALID: { var_name: text, bad_value: text },
  REQUEST_CONFUSING_VAR: { var_name1: text, var_name2: text },
  STREAM_DOES_NOT_EXIST: partial({ stream: text, stream_id: integer }),
  CHANNEL_ALREADY_EXISTS: { channel_name: text },
  EXPECTATION_MISMATCH: { field_name: text },
  CANNOT_DEACTIVATE_LAST_USER: { is_last_owner: truth, entity: text },
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: {
    first_message_id_allowed_to_move: integer,
    total_messages_in_topic: integer,
    total_messages_allowed_to_move: integer,
  },
  CANNOT_DEACTIVATE_GROUP_IN_USE: {
    objections: list(
      oneOf(
        object({ type: exact('subgroup'), supergroup_ids: list(integer) }),
        object({ type: exact('channel'), channel_id: integer, settings: list(text) }),
        object({ type: exact('user_group'), group_id: integer, settings: list(text) }),
        object({ type: exact('realm'), settings: list(text) }),
      ),
    ),
  },
  SYSTEM_GROUP_REQUIRED: { setting_name: text },
  INVITATION_FAILED: {
    errors: described(list(list(oneOf(text, truth))), 'Address, reason, and whether the account is deactivated.'),
    sent_invitations: truth,
    daily_limit_reached: truth,
    license_limit_reached: truth,
  },
  BAD_NARROW: { desc: text },
  BAD_EVENT_QUEUE_ID: { queue_id: text },
  RATE_LIMIT_HIT: { 'retry-after': number },
  SERVER_NOT_READY: {
    'retry-after': optional(number),
    phase: described(optional(words('opening', 'read_models', 'finishing')), 'Of a start, at `/health/ready` alone.'),
    position: optional(integer),
    head: optional(integer),
    rate: described(optional(integer), 'Events a second.'),
    estimate: described(optional(nullable(integer)), 'Seconds left.'),
  },
  PROJECTION_SET_ASIDE: { projection: described(text, 'The read model that has failed.') },
};

/** Answers other than successes: one form for each code with fields of its own, and one for the others. */
export function failureSchema(): TSchema {
  // The interface has no such code: a missing resource is `BAD_REQUEST` with status 404.
  const codes = REFUSAL_CODES.filter((code) => code !== 'NOT_FOUND');
  const plain = codes.filter((code) => FAILURE_FIELDS[code] === undefined);
  const forms = codes.flatMap((code) => {
    const fields = FAILURE_FIELDS[code];
    return fields === undefined ? [] : [object({ ...HEAD, code: exact(code), ...fields })];
  });
  return named('Failure', oneOf(object({ ...HEAD, code: words(...plain) }), ...forms));
}

const HEAD = { result: exact('error'), msg: text };
