import { directoryValue } from '#directory';
import { earlierFields } from '#kernel';
import { evolveOrganization, type Organization } from './organization.js';
import { changedRealm, evolveRealm, NEW_REALM, type RealmState } from './settings/realm-settings.js';
import {
  organizationCreated,
  organizationSettingsChanged,
  realmEventTypes,
  userDefaultsChanged,
} from './realm.events.js';

/** The organization; null before it is created. */
export const organizationPart = directoryValue({
  name: 'organization',
  events: realmEventTypes,
  initial: null as Organization | null,
  evolve: evolveOrganization,
});

/** Settings of the organization, and holders of its permissions. */
export const realmPart = directoryValue({
  name: 'realm',
  events: [],
  hears: [organizationCreated, organizationSettingsChanged, userDefaultsChanged],
  needs: [organizationPart],
  initial: NEW_REALM,
  earlier: {
    'organization.settings-changed.v1': (was, { settings, permissions }) => ({
      ...(settings && { settings: earlierFields(was.settings, settings) }),
      ...(permissions && { permissions: earlierFields(was.permissions, permissions) }),
    }),
    'organization.user-defaults-changed.v1': (was, { settings }) => ({
      settings: earlierFields(was.userDefaults, settings),
    }),
  },
  evolve: evolveRealm,
  // Older snapshots lack the settings that came later, and the name among them.
  restore: (realm: Partial<RealmState> | undefined, of) =>
    changedRealm(NEW_REALM, { ...realm, settings: { name: of(organizationPart)?.name ?? '', ...realm?.settings } }),
});
