import type { LogPoint } from '#directory';
import { unreachable } from '#kernel';
import type { RealmEvent } from './realm.events.js';
import type { ServerRelease } from './server/server-version.js';

const DAY_SECONDS = 86_400;

/** When the organization was deactivated, and when its data is to be deleted; seconds since the epoch. */
export interface Deactivation {
  readonly at: number;
  /** Absent when the data is to be kept. */
  readonly deleteFrom?: number;
}

export interface Organization {
  readonly uuid: string;
  readonly name: string;
  readonly createdAt: number;
  /** Set while the organization is deactivated: nobody has access. */
  readonly deactivated?: Deactivation;
  /** Position of the last deactivation, which ended all event queues; absent when there was none. */
  readonly queuesEndedAt?: number;
  /** The version of the server that ran last; absent for the first. */
  readonly release?: ServerRelease;
}

/** The organization after an event. */
export function evolveOrganization(
  organization: Organization | null,
  event: RealmEvent,
  { position }: LogPoint,
): Organization | null {
  if (event.type === 'organization.created.v1') {
    const { uuid, name, at } = event.data;
    return { uuid, name, createdAt: at };
  }
  if (organization === null) return null;
  switch (event.type) {
    case 'organization.settings-changed.v1': {
      const name = event.data.settings?.name;
      return name === undefined ? organization : { ...organization, name };
    }
    case 'organization.user-defaults-changed.v1':
      return organization;
    case 'organization.deactivated.v1': {
      const { at, deletionDelayDays } = event.data;
      const deletion = deletionDelayDays === undefined ? {} : { deleteFrom: at + deletionDelayDays * DAY_SECONDS };
      return { ...organization, deactivated: { at, ...deletion }, queuesEndedAt: position };
    }
    case 'organization.reactivated.v1': {
      const { deactivated: _, ...active } = organization;
      return active;
    }
    case 'organization.server-upgraded.v1': {
      const { version, featureLevel, at } = event.data;
      return { ...organization, release: { version, featureLevel, generation: at } };
    }
    default:
      return unreachable(event);
  }
}
