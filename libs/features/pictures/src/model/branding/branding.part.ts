import { directoryValue } from '#directory';
import { brandingEventTypes } from './branding.events.js';
import { evolveBranding, NO_BRANDING } from './branding.js';

/** The organization's icon and logos. */
export const brandingPart = directoryValue({
  name: 'branding',
  events: brandingEventTypes,
  initial: NO_BRANDING,
  earlier: {
    'organization.branding-changed.v1': (branding, { kind }) => ({ picture: branding[kind]?.picture ?? null }),
  },
  evolve: evolveBranding,
});
