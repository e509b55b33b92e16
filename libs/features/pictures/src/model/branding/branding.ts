import { picturePath } from '../picture-path.js';
import type { BrandingChanged } from './branding.events.js';

export type BrandingKind = BrandingChanged['data']['kind'];

export const BRANDING_KINDS: readonly BrandingKind[] = ['icon', 'logo', 'night_logo'];

/** An uploaded icon or logo. */
export interface BrandingPicture {
  /** Name in its address: 40 hexadecimal digits. */
  readonly name: string;
  /** Content in the store of files: a PNG image. */
  readonly image: string;
}

export interface BrandingRecord {
  /** Absent for the server's own. */
  readonly picture?: BrandingPicture;
  /** Begins with 1, and grows with each change. */
  readonly version: number;
}

/** Icon and logos that were ever changed. The state is replaced, never changed. */
export type Branding = Readonly<Partial<Record<BrandingKind, BrandingRecord>>>;

export const NO_BRANDING: Branding = {};

export function evolveBranding(branding: Branding, { data: { kind, picture, version } }: BrandingChanged): Branding {
  return { ...branding, [kind]: { version, ...(picture === null ? undefined : { picture }) } };
}

/** The picture of this name, when the organization has it now. */
export function brandingNamed(branding: Branding, name: string): BrandingPicture | undefined {
  for (const kind of BRANDING_KINDS) {
    const picture = branding[kind]?.picture;
    if (picture?.name === name) return picture;
  }
  return undefined;
}

export function brandingVersion(branding: Branding, kind: BrandingKind): number {
  return branding[kind]?.version ?? 1;
}

/** Picture of every organization without its own. */
const DEFAULT_PICTURE = '/static/icon.svg';

/** What clients call the server's own: an icon stands for a third party's, from earlier times. */
const DEFAULT_SOURCE: Readonly<Record<BrandingKind, string>> = { icon: 'G', logo: 'D', night_logo: 'D' };

/** Where the icon or logo is, relative to the server's address. */
export function brandingAddress(branding: Branding, kind: BrandingKind): string {
  const { picture, version } = branding[kind] ?? {};
  return picture === undefined ? DEFAULT_PICTURE : picturePath(`realm/${picture.name}.png?version=${version ?? 1}`);
}

/** Fields of the icon or logo as clients are told of it (register.md §3), without the prefix `realm_`. */
export function wireBranding(branding: Branding, kind: BrandingKind): Readonly<Record<string, string>> {
  const source = branding[kind]?.picture === undefined ? DEFAULT_SOURCE[kind] : 'U';
  return { [`${kind}_url`]: brandingAddress(branding, kind), [`${kind}_source`]: source };
}
