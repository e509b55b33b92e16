import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, noClientEvents, type Presentable } from '#feed';
import type { DeviceEvent, PushTarget } from './device.events.js';
import type { WireAccount, WireDevice, deviceEventSchemas } from './wire-devices.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof deviceEventSchemas>;

type Body =
  | ({ readonly type: 'push_device'; readonly push_account_id: string } & WireAccount)
  | { readonly type: 'device'; readonly op: 'add' | 'remove'; readonly device_id: number }
  | ({ readonly type: 'device'; readonly op: 'update'; readonly device_id: number } & Partial<WireDevice>);

/** Client events about a user's devices (events.md §3), for their own clients. Tokens are in none of them. */
@Injectable()
export class DeviceClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<DeviceEvent> = {
    'push-token.added.v1': noClientEvents,
    'push-token.removed.v1': noClientEvents,
    'client-device.added.v1': ({ data: { userId, deviceId } }) => [
      entryFor(userId, { type: 'device', op: 'add', device_id: deviceId }),
    ],
    'client-device.removed.v1': ({ data: { userId, deviceId } }) => [
      entryFor(userId, { type: 'device', op: 'remove', device_id: deviceId }),
    ],
    'client-device.key-changed.v1': ({ data: { userId, deviceId, keyId } }) => [
      entryFor(userId, { type: 'device', op: 'update', device_id: deviceId, push_key_id: keyId }),
    ],
    'push-registration.requested.v1': ({ data: { userId, target, tokenId } }) => [
      entryFor(userId, bodyOf(target, { status: 'pending' }, { pending_push_token_id: tokenId })),
    ],
    // Clients are told of the outcome.
    'push-registration.postponed.v1': noClientEvents,
    'push-registration.completed.v1': ({ data: { userId, target, tokenId, at } }) => [
      entryFor(
        userId,
        bodyOf(
          target,
          { status: 'active' },
          {
            push_token_id: tokenId,
            pending_push_token_id: null,
            push_token_last_updated_timestamp: at,
            push_registration_error_code: null,
          },
        ),
      ),
    ],
    'push-registration.failed.v1': ({ data: { userId, target, code, wasActive } }) => [
      entryFor(
        userId,
        bodyOf(
          target,
          { status: 'failed', error_code: code },
          {
            ...(wasActive ? { push_token_id: null, push_token_last_updated_timestamp: null } : {}),
            pending_push_token_id: null,
            push_registration_error_code: code,
          },
        ),
      ),
    ],
  };
  override readonly types: ReadonlySet<string> = new Set(['push_device', 'device']);

  override present({ entry }: Presentable<Body>): readonly Told[] {
    return [entry.body];
  }
}

function bodyOf({ kind, id }: PushTarget, account: WireAccount, device: Partial<WireDevice>): Body {
  // Text until feature level 450.
  return kind === 'account'
    ? { type: 'push_device', push_account_id: String(id), ...account }
    : { type: 'device', op: 'update', device_id: id, ...device };
}

function entryFor(userId: number, body: Body): FeedEntry<Body> {
  return { type: body.type, audience: { to: 'users', ids: [userId] }, body };
}
