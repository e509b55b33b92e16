import type { BrandingKind, BrandingPicture } from '../model/branding/branding.js';

/** Gives the organization another icon or logo, or takes the uploaded one away. */
export interface ChangeBranding {
  readonly actorId: number;
  readonly kind: BrandingKind;
  /** Content is stored already; null for the server's own. */
  readonly picture: BrandingPicture | null;
  /** Seconds since the epoch. */
  readonly at: number;
}
