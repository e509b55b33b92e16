import type { DeviceEvent, PushKey, PushTarget } from './device.events.js';

export interface PushToken {
  readonly kind: 'apns' | 'fcm';
  readonly token: string;
  readonly appId: string | null;
}

/** A registration at the push service. */
export interface Registration {
  readonly serial: number;
  readonly tokenKind: 'apns' | 'fcm';
  readonly tokenId: string | null;
  readonly bouncerPublicKey: string;
  readonly encryptedRegistration: string;
  /** Attempts that were postponed. */
  attempts: number;
  /** Earliest time of the next attempt. */
  until: number;
  phase: 'pending' | 'active' | 'failed';
  remoteId?: number;
  /** Why it has failed. */
  code?: string;
}

/** A push account: an account on a device, under the client's ID for it. */
export interface PushAccount {
  readonly pushAccountId: number;
  key: PushKey;
  registration: Registration;
}

/** A client that has its own ID at this server (feature level 468). */
export interface ClientDevice {
  readonly deviceId: number;
  keyId: number | null;
  key: PushKey | null;
  /** The registration that notifications go to. */
  active: Registration | null;
  /** Time at which it became active. */
  activeSince: number | null;
  /** The registration that the push service has not confirmed yet. */
  pending: Registration | null;
  /** Why the last registration has failed. */
  code: string | null;
}

/** A user's devices, as one JSON document: state of the decider, and read model. */
export interface Devices {
  userId: number;
  /** The one that registered longest ago first. */
  tokens: PushToken[];
  accounts: PushAccount[];
  devices: ClientDevice[];
  lastDeviceId: number;
  lastSerial: number;
}

export function noDevices(userId = 0): Devices {
  return { userId, tokens: [], accounts: [], devices: [], lastDeviceId: 0, lastSerial: 0 };
}

/** The newest registration of a target; undefined when there is none. */
export function registrationOf(devices: Devices, { kind, id }: PushTarget): Registration | undefined {
  if (kind === 'account') return devices.accounts.find((account) => account.pushAccountId === id)?.registration;
  const device = devices.devices.find(({ deviceId }) => deviceId === id);
  return device?.pending ?? device?.active ?? undefined;
}

/** Changes and returns the given state. */
export function evolveDevices(state: Devices, event: DeviceEvent): Devices {
  const { data } = event;
  state.userId = data.userId;
  switch (event.type) {
    case 'push-token.added.v1': {
      const { kind, token, appId } = event.data;
      removeToken(state, kind, token);
      state.tokens.push({ kind, token, appId });
      break;
    }
    case 'push-token.removed.v1':
      removeToken(state, event.data.kind, event.data.token);
      break;
    case 'client-device.added.v1': {
      const { deviceId } = event.data;
      state.lastDeviceId = deviceId;
      const nothing = { keyId: null, key: null, active: null, activeSince: null, pending: null, code: null };
      state.devices.push({ deviceId, ...nothing });
      break;
    }
    case 'client-device.removed.v1':
      state.devices = state.devices.filter(({ deviceId }) => deviceId !== event.data.deviceId);
      break;
    case 'client-device.key-changed.v1': {
      const { deviceId, keyId, key } = event.data;
      Object.assign(state.devices.find((device) => device.deviceId === deviceId) ?? {}, { keyId, key });
      break;
    }
    default:
      evolveRegistration(state, event);
  }
  return state;
}

type RegistrationEvent = Extract<DeviceEvent, { readonly type: `push-registration.${string}` }>;

function evolveRegistration(state: Devices, event: RegistrationEvent): void {
  const { target } = event.data;
  if (event.type === 'push-registration.requested.v1') {
    request(state, event.data);
    return;
  }
  const registration = registrationOf(state, target);
  if (registration?.serial !== event.data.serial) return;
  const { at } = event.data;
  switch (event.type) {
    case 'push-registration.postponed.v1':
      if (event.data.isRetry !== true) registration.attempts += 1;
      registration.until = event.data.until;
      break;
    case 'push-registration.completed.v1':
      Object.assign(registration, { phase: 'active', remoteId: event.data.remoteId });
      if (target.kind === 'device') settle(state, target.id, { active: registration, activeSince: at, code: null });
      break;
    case 'push-registration.failed.v1':
      Object.assign(registration, { phase: 'failed', code: event.data.code });
      if (target.kind === 'device') fail(state, target.id, registration, event.data.code);
      break;
  }
}

function request(state: Devices, data: Extract<RegistrationEvent, { type: 'push-registration.requested.v1' }>['data']) {
  const { target, serial, tokenKind, tokenId, bouncerPublicKey, encryptedRegistration, key, at } = data;
  const registration: Registration = {
    ...{ serial, tokenKind, tokenId, bouncerPublicKey, encryptedRegistration },
    ...{ attempts: 0, until: at, phase: 'pending' },
  };
  state.lastSerial = serial;
  if (target.kind === 'device') {
    const device = state.devices.find(({ deviceId }) => deviceId === target.id);
    if (device !== undefined) device.pending = registration;
    return;
  }
  state.accounts = state.accounts.filter(({ pushAccountId }) => pushAccountId !== target.id);
  if (key !== null) state.accounts.push({ pushAccountId: target.id, key, registration });
}

function settle(state: Devices, id: number, change: Partial<ClientDevice>): void {
  const device = state.devices.find(({ deviceId }) => deviceId === id);
  if (device !== undefined) Object.assign(device, change, { pending: null });
}

/** A failed attempt to register again leaves the earlier registration. */
function fail(state: Devices, id: number, failed: Registration, code: string): void {
  const device = state.devices.find(({ deviceId }) => deviceId === id);
  if (device === undefined) return;
  if (device.active?.serial === failed.serial) Object.assign(device, { active: null, activeSince: null });
  settle(state, id, { code });
}

function removeToken(state: Devices, kind: string, token: string): void {
  state.tokens = state.tokens.filter((known) => known.kind !== kind || known.token !== token);
}
