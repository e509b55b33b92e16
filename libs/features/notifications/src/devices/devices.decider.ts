import { badRequest, type Decider, unreachable } from '#kernel';
import type { AskedRegistration, DeviceCommand } from './device.commands.js';
import type { DeviceEvent, PushKey, PushTarget } from './device.events.js';
import { type Devices, evolveDevices, noDevices, type Registration, registrationOf } from './devices.js';

/** Tokens of one kind: a new one takes the place of the one that registered longest ago, whose app may be gone. */
export const TOKENS_MAX = 20;
/** Clients receive all of them when they register. */
const ACCOUNTS_MAX = 50;
export const DEVICES_MAX = 50;
/** Seconds between attempts to reach the push service. What a client encrypted for it expires after some hours. */
export const PAUSES_SECONDS = [5, 30, 120, 600, 1_800, 3_600] as const;
/** A client may register again after it, as after attempts that all failed. */
const GIVEN_UP = 'FAILED_TO_CONNECT_BOUNCER';
/** The push service says that a device is gone: its app was removed, or its token has changed. */
export const GONE = 'INVALID_REMOTE_PUSH_DEVICE_TOKEN';

/** A user's devices, in their `devices-{id}` stream. */
export const devicesDecider: Decider<Devices, DeviceCommand, DeviceEvent> = {
  initial: () => noDevices(),
  decide,
  evolve: evolveDevices,
};

/** @throws Refusal BAD_REQUEST */
function decide(state: Devices, command: DeviceCommand): readonly DeviceEvent[] {
  const { userId, at } = command;
  switch (command.type) {
    case 'add-token':
      return addToken(state, command);
    case 'remove-token': {
      const { kind, token } = command;
      if (!state.tokens.some((known) => known.kind === kind && known.token === token))
        throw badRequest('Token does not exist');
      return [{ type: 'push-token.removed.v1', data: { userId, kind, token, at } }];
    }
    case 'add-device':
      if (state.devices.length >= DEVICES_MAX) throw tooMany(DEVICES_MAX);
      return [{ type: 'client-device.added.v1', data: { userId, deviceId: state.lastDeviceId + 1, at } }];
    case 'remove-device': {
      const { deviceId } = deviceOf(state, command.deviceId);
      return [{ type: 'client-device.removed.v1', data: { userId, deviceId, at } }];
    }
    case 'register-account':
      return registerAccount(state, command);
    case 'change-device':
      return changeDevice(state, command);
    case 'finish-registration':
      return finishRegistration(state, command);
    case 'hasten-registration':
      return hastenRegistration(state, command);
    case 'drop-registration':
      return dropRegistration(state, command);
    case 'forget':
      return forget(state, command);
    default:
      return unreachable(command);
  }
}

type Of<Type extends DeviceCommand['type']> = Extract<DeviceCommand, { readonly type: Type }>;

function addToken(state: Devices, { userId, at, kind, token, appId }: Of<'add-token'>): readonly DeviceEvent[] {
  const ofKind = state.tokens.filter((known) => known.kind === kind);
  if (ofKind.some((known) => known.token === token && known.appId === appId)) return [];
  const others = ofKind.filter((known) => known.token !== token);
  const surplus = others.slice(0, Math.max(0, others.length + 1 - TOKENS_MAX));
  return [
    ...surplus.map((one): DeviceEvent => ({
      type: 'push-token.removed.v1',
      data: { userId, kind, token: one.token, at },
    })),
    { type: 'push-token.added.v1', data: { userId, kind, token, appId, at } },
  ];
}

/** A request that is repeated while the first one is pending or done changes nothing. */
function registerAccount(state: Devices, command: Of<'register-account'>): readonly DeviceEvent[] {
  const { pushAccountId, key, asked } = command;
  const known = state.accounts.find((account) => account.pushAccountId === pushAccountId);
  const isSame = known?.key.form === key.form && known.key.bytes === key.bytes;
  if (isSame && known.registration.phase !== 'failed') return [];
  if (known === undefined && state.accounts.length >= ACCOUNTS_MAX) throw tooMany(ACCOUNTS_MAX);
  return [requested(state, command, { kind: 'account', id: pushAccountId }, asked, key)];
}

function changeDevice(state: Devices, command: Of<'change-device'>): readonly DeviceEvent[] {
  const { userId, at, key, asked } = command;
  const device = deviceOf(state, command.deviceId);
  const { deviceId } = device;
  if (asked !== undefined && key === undefined && device.key === null)
    throw badRequest('A push key must be given first.');
  const events: DeviceEvent[] = [];
  const isSameKey = device.keyId === key?.keyId && device.key?.bytes === key.key.bytes;
  if (key !== undefined && !isSameKey)
    events.push({ type: 'client-device.key-changed.v1', data: { userId, deviceId, ...key, at } });
  const known = device.pending ?? device.active;
  const isKnown = known?.tokenId === asked?.tokenId && known?.tokenKind === asked?.tokenKind;
  if (asked !== undefined && !isKnown)
    events.push(requested(state, command, { kind: 'device', id: deviceId }, asked, null));
  return events;
}

function requested(
  { lastSerial }: Devices,
  { userId, at }: { readonly userId: number; readonly at: number },
  target: PushTarget,
  asked: AskedRegistration,
  key: PushKey | null,
): DeviceEvent {
  const data = { userId, target, serial: lastSerial + 1, ...asked, key, at };
  return { type: 'push-registration.requested.v1', data };
}

function finishRegistration(state: Devices, command: Of<'finish-registration'>): readonly DeviceEvent[] {
  const { userId, at, target, serial, outcome } = command;
  const registration = registrationOf(state, target);
  // Another process may have finished this attempt.
  if (registration?.serial !== serial || registration.phase !== 'pending' || registration.until > at) return [];
  const about = { userId, target, serial, at };
  if (outcome.kind === 'registered')
    return [
      {
        type: 'push-registration.completed.v1',
        data: { ...about, remoteId: outcome.remoteId, tokenId: registration.tokenId },
      },
    ];
  const pause = PAUSES_SECONDS[registration.attempts];
  if (outcome.kind === 'never' || pause === undefined)
    return [{ type: 'push-registration.failed.v1', data: { ...about, code: outcome.code, wasActive: false } }];
  const { reason } = outcome;
  return [{ type: 'push-registration.postponed.v1', data: { ...about, reason, until: at + pause } }];
}

function hastenRegistration(state: Devices, command: Of<'hasten-registration'>): readonly DeviceEvent[] {
  const { userId, at, target } = command;
  const registration = registrationOf(state, target);
  if (registration?.phase !== 'pending' || registration.until <= at) return [];
  const { serial } = registration;
  return [{ type: 'push-registration.postponed.v1', data: { userId, target, serial, isRetry: true, until: at, at } }];
}

function dropRegistration(state: Devices, command: Of<'drop-registration'>): readonly DeviceEvent[] {
  const { userId, at, target, reason } = command;
  const registration = registrationOf(state, target);
  if (registration?.phase !== 'pending') return [];
  const { serial } = registration;
  const data = { userId, target, serial, code: GIVEN_UP, wasActive: false, reason, at };
  return [{ type: 'push-registration.failed.v1', data }];
}

function forget(state: Devices, { userId, at, remoteIds, tokens }: Of<'forget'>): readonly DeviceEvent[] {
  const isGone = (one: Registration | null): one is Registration =>
    one?.phase === 'active' && one.remoteId !== undefined && remoteIds.includes(one.remoteId);
  const failed = (kind: 'account' | 'device', id: number, { serial }: Registration): DeviceEvent => ({
    type: 'push-registration.failed.v1',
    data: { userId, target: { kind, id }, serial, code: GONE, wasActive: true, at },
  });
  return [
    ...state.tokens
      .filter(({ token }) => tokens.includes(token))
      .map(({ kind, token }): DeviceEvent => ({ type: 'push-token.removed.v1', data: { userId, kind, token, at } })),
    ...state.accounts.flatMap(({ pushAccountId, registration }) =>
      isGone(registration) ? [failed('account', pushAccountId, registration)] : [],
    ),
    // One that registers again at the moment keeps its entry until the outcome.
    ...state.devices.flatMap(({ deviceId, active, pending }) =>
      pending === null && isGone(active) ? [failed('device', deviceId, active)] : [],
    ),
  ];
}

function deviceOf({ devices }: Devices, deviceId: number) {
  const device = devices.find((known) => known.deviceId === deviceId);
  if (device === undefined) throw badRequest('Invalid device_id');
  return device;
}

function tooMany(limit: number) {
  return badRequest(`You have too many devices (limit: ${limit}). Remove some of them first.`);
}
