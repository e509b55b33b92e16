import type { JsonObject } from './json.js';

/**
 * A command or query that was understood and is refused. The code is stable and part of the interface (rules.md §1, "Error codes"); the text tells the reader what to do; the data are the extra fields of the code. One table in `#http` maps
 * codes to HTTP statuses.
 */
export class Refusal extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly data: JsonObject = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

export const REFUSAL_CODES = [
  'BAD_REQUEST',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_VARIABLE_INVALID',
  'REQUEST_CONFUSING_VAR',
  'INVALID_JSON',
  'BAD_NARROW',
  'BAD_EVENT_QUEUE_ID',
  'STREAM_DOES_NOT_EXIST',
  'CHANNEL_ALREADY_EXISTS',
  'UNAUTHORIZED_PRINCIPAL',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
  'IDEMPOTENCY_KEY_REUSED',
  'REACTION_ALREADY_EXISTS',
  'REACTION_DOES_NOT_EXIST',
  'BAD_IMAGE',
  'INVITATION_FAILED',
  'REALM_UPLOAD_QUOTA',
  'EXPECTATION_MISMATCH',
  'SYSTEM_GROUP_REQUIRED',
  'CANNOT_DEACTIVATE_GROUP_IN_USE',
  'CANNOT_DEACTIVATE_LAST_USER',
  'CSRF_FAILED',
  'APPROVAL_REQUIRED',
  'NONEXISTENT_SUBDOMAIN',
  'INVALID_PUSH_DEVICE_TOKEN',
  'INVALID_REMOTE_PUSH_DEVICE_TOKEN',
  'NO_ACTIVE_PUSH_DEVICE',
  'ADMIN_ACTION_REQUIRED',
  'FAILED_TO_CONNECT_BOUNCER',
  'INTERNAL_SERVER_ERROR_ON_BOUNCER',
  'INVALID_BOUNCER_PUBLIC_KEY',
  'PUSH_SERVICE_NOT_CONFIGURED',
  'REQUEST_EXPIRED',
  'TOO_LONG_AGO',
  'INVALID_ZOOM_TOKEN',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'AUTHENTICATION_FAILED',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'PASSWORD_AUTH_DISABLED',
  'RATE_LIMIT_HIT',
  'SERVER_NOT_READY',
  'PROJECTION_SET_ASIDE',
  'READ_ONLY',
  'INTERNAL_SERVER_ERROR',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The generic refusal: `BAD_REQUEST`, HTTP 400. */
export function badRequest(message: string, data: JsonObject = {}): Refusal {
  return new Refusal('BAD_REQUEST', message, data);
}

/** Makes an unhandled case of a union a compile error. */
export function unreachable(value: never): never {
  throw new Error(`Unreachable: ${JSON.stringify(value)}`);
}

/** The route needs an account, and the call is anonymous. */
export function notLoggedIn(): Refusal {
  return new Refusal('UNAUTHORIZED', 'Not logged in: API authentication or user session required');
}
