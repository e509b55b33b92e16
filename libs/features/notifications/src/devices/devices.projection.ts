import type { RecordedEvent } from '#event-store';
import type { CollectionSchema, Projection } from '#read-store';
import { timersOf } from '#timers';
import { type DeviceEvent, deviceEventTypes, type PushTarget } from './device.events.js';
import { type Devices, evolveDevices, noDevices } from './devices.js';

export const devicesCollection = {
  name: 'push_devices',
  key: 'integer',
  fields: {},
  indexes: [],
} as const satisfies CollectionSchema;

/** Users' devices, a document for each user. */
export const devicesProjection: Projection<Devices> = {
  collection: devicesCollection,
  handles: new Set(deviceEventTypes.map(({ name }) => name)),
  keys: ({ data }) => [{ key: (data as DeviceEvent['data']).userId }],
  evolve: (doc = noDevices(), event) => evolveDevices(doc, event as RecordedEvent & DeviceEvent),
};

interface About {
  readonly userId: number;
  readonly target: PushTarget;
}

function subjectOf({ userId, target: { kind, id } }: About): string {
  return `${userId}:${kind}:${id}`;
}

/** The opposite of `subjectOf`. */
export function aboutOf(subject: string): About {
  const [userId, kind, id] = subject.split(':');
  return { userId: Number(userId), target: { kind: kind === 'device' ? 'device' : 'account', id: Number(id) } };
}

/** When the push service is to be asked. */
export const registrationTimers = timersOf<DeviceEvent>('push-registration', {
  'push-registration.requested.v1': ({ data }) => [{ subject: subjectOf(data), dueAt: data.at }],
  'push-registration.postponed.v1': ({ data }) => [{ subject: subjectOf(data), dueAt: data.until }],
  'push-registration.completed.v1': ({ data }) => [{ subject: subjectOf(data), dueAt: undefined }],
  'push-registration.failed.v1': ({ data }) => [{ subject: subjectOf(data), dueAt: undefined }],
  'client-device.removed.v1': ({ data: { userId, deviceId } }) => [
    { subject: subjectOf({ userId, target: { kind: 'device', id: deviceId } }), dueAt: undefined },
  ],
});
