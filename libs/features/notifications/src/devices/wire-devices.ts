import type { ClientDevice, PushAccount } from './devices.js';

/** A push account as clients see it (register.md §2). */
export type WireAccount = {
  readonly status: 'pending' | 'active' | 'failed';
  readonly error_code?: string;
};

/** A client device as clients see it. Null stands for what it does not have. */
export type WireDevice = {
  readonly push_key_id: number | null;
  readonly push_token_id: string | null;
  readonly pending_push_token_id: string | null;
  readonly push_token_last_updated_timestamp: number | null;
  readonly push_registration_error_code: string | null;
};

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
