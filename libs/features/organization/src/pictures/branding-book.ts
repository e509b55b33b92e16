import type { Handlers } from '../directory/directory-part.js';
import type { BrandingChanged } from './branding.events.js';
import { BRANDING_KINDS, type Branding, type BrandingPicture, evolveBranding } from './branding.js';

/** The organization's icon and logos, a part of the directory. */
export class BrandingBook {
  #branding: Branding = {};

  readonly on: Handlers<BrandingChanged> = {
    'organization.branding-changed.v1': (event) => {
      this.#branding = evolveBranding(this.#branding, event);
    },
  };

  get branding(): Branding {
    return this.#branding;
  }

  /** The picture of this name, when the organization has it now. */
  named(name: string): BrandingPicture | undefined {
    for (const kind of BRANDING_KINDS) {
      const picture = this.#branding[kind]?.picture;
      if (picture?.name === name) return picture;
    }
    return undefined;
  }

  /** @param branding absent in snapshots from before there was any */
  restore(branding: Branding | undefined): void {
    this.#branding = branding ?? {};
  }
}
