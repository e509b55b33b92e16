import {
  type EventSchemas,
  integer,
  map,
  named,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  text,
  type Wire,
  words,
} from '#wire';
import type { ClientDevice, PushAccount } from './devices.js';

const ACCOUNT = { status: words('pending', 'active', 'failed'), error_code: optional(text) };

/** A push account as clients see it (register.md §2). */
const AccountSchema = named('PushDevice', object(ACCOUNT));
export type WireAccount = Wire<typeof AccountSchema>;

/** Null stands for what it does not have. */
const DEVICE = {
  push_key_id: nullable(integer),
  push_token_id: nullable(text),
  pending_push_token_id: nullable(text),
  push_token_last_updated_timestamp: nullable(integer),
  push_registration_error_code: nullable(text),
};

/** A client device as clients see it. */
const DeviceSchema = named('ClientDevice', object(DEVICE));
export type WireDevice = Wire<typeof DeviceSchema>;

/** Text until feature level 450. */
const device_id = oneOf(integer, text);

export const deviceEventSchemas = {
  push_device: { push_account_id: text, ...ACCOUNT },
  'device/add': { device_id },
  'device/remove': { device_id },
  'device/update': { device_id, ...partial(DEVICE) },
} satisfies EventSchemas;

export const deviceFieldSchemas = { push_devices: map(AccountSchema), devices: map(DeviceSchema) };

export function wireAccount({ registration: { phase, code } }: PushAccount): WireAccount {
  return { status: phase, error_code: code };
}

export function wireDevice({ keyId, active, activeSince, pending, code }: ClientDevice): WireDevice {
  return {
    push_key_id: keyId,
    push_token_id: active?.tokenId ?? null,
    pending_push_token_id: pending?.tokenId ?? null,
    push_token_last_updated_timestamp: activeSince,
    push_registration_error_code: code,
  };
}
