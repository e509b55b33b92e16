import type { Handlers } from '../directory/directory-part.js';
import { changedRealm, NEW_REALM, type RealmState } from './realm-settings.js';
import type { RealmEvent } from './realm.events.js';
import type { ServerRelease } from './server-version.js';

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

/** The organization and its settings; a part of the directory. */
export class RealmBook {
  #organization: Organization | null = null;
  #state: RealmState = NEW_REALM;

  readonly on: Handlers<RealmEvent> = {
    'organization.created.v1': ({ data: { uuid, name, at } }) => {
      this.#organization = { uuid, name, createdAt: at };
      this.#state = changedRealm(this.#state, { settings: { name } });
    },
    'organization.settings-changed.v1': ({ data }) => {
      this.#state = changedRealm(this.#state, data);
      const name = data.settings?.name;
      if (name !== undefined && this.#organization !== null) this.#organization = { ...this.#organization, name };
    },
    'organization.user-defaults-changed.v1': ({ data }) => {
      this.#state = changedRealm(this.#state, { userDefaults: data.settings });
    },
    'organization.deactivated.v1': ({ data: { at, deletionDelayDays } }, { position }) => {
      if (this.#organization === null) return;
      const deletion = deletionDelayDays === undefined ? {} : { deleteFrom: at + deletionDelayDays * DAY_SECONDS };
      this.#organization = { ...this.#organization, deactivated: { at, ...deletion }, queuesEndedAt: position };
    },
    'organization.reactivated.v1': () => {
      if (this.#organization === null) return;
      const { deactivated: _, ...organization } = this.#organization;
      this.#organization = organization;
    },
    'organization.server-upgraded.v1': ({ data: { version, featureLevel, at } }) => {
      if (this.#organization === null) return;
      this.#organization = { ...this.#organization, release: { version, featureLevel, generation: at } };
    },
  };

  get organization(): Organization | null {
    return this.#organization;
  }

  get state(): RealmState {
    return this.#state;
  }

  snapshot(): { readonly organization: Organization | null; readonly realm: RealmState } {
    return { organization: this.#organization, realm: this.#state };
  }

  /** @param realm absent in snapshots from before settings could change, and without the settings that came later */
  restore({
    organization,
    realm,
  }: {
    readonly organization: Organization | null;
    readonly realm?: Partial<RealmState>;
  }): void {
    this.#organization = organization;
    const settings = { name: organization?.name ?? '', ...realm?.settings };
    this.#state = changedRealm(NEW_REALM, { ...realm, settings });
  }
}
