import { Directory, type OrganizationEvent } from '#people';
import { ROLE } from '#users/model';
import { decideBranding } from './branding.decider.js';
import { wireBranding } from '../model/branding/branding.js';
import { brandingPart } from '../model/branding/branding.part.js';
import type { BrandingChanged } from '../model/branding/branding.events.js';

const at = 1_790_000_000;
const PICTURE = { name: 'a'.repeat(40), image: 'b'.repeat(64) };

function given(...events: BrandingChanged[]): Directory {
  const directory = new Directory([brandingPart]);
  const account = { fullName: 'Ann', botType: null, botOwnerId: null, timezone: '', at };
  const users = [ROLE.administrator, ROLE.moderator].map((role, index): OrganizationEvent => {
    return { type: 'user.created.v1', data: { ...account, userId: index + 1, email: `u${index + 1}@acme.test`, role } };
  });
  for (const event of [...users, ...events]) directory.evolve(event, 1);
  return directory;
}

const changed = (kind: 'icon' | 'logo' | 'night_logo', version: number, isRemoved = false): BrandingChanged => ({
  type: 'organization.branding-changed.v1',
  data: { kind, picture: isRemoved ? null : PICTURE, version, by: 1, at },
});

test('each picture has its own versions', () => {
  const directory = given(changed('icon', 2), changed('icon', 3));
  const asked = { actorId: 1, picture: PICTURE, at };
  expect(decideBranding(directory, { ...asked, kind: 'icon' })).toEqual([changed('icon', 4)]);
  expect(decideBranding(directory, { ...asked, kind: 'logo' })).toEqual([changed('logo', 2)]);
});

test('a picture is removed once', () => {
  const remove = { actorId: 1, kind: 'icon', picture: null, at } as const;
  expect(decideBranding(given(), remove)).toEqual([]);
  expect(decideBranding(given(changed('icon', 2)), remove)).toEqual([changed('icon', 3, true)]);
  expect(decideBranding(given(changed('icon', 2), changed('icon', 3, true)), remove)).toEqual([]);
});

test('administrators alone change them', () => {
  expect(() => decideBranding(given(), { actorId: 2, kind: 'logo', picture: PICTURE, at })).toThrow(
    expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }),
  );
});

test('clients are told of the picture in use', () => {
  const branding = given(changed('night_logo', 2)).of(brandingPart);
  const night_logo_url = `/user_avatars/1/realm/${PICTURE.name}.png?version=2`;
  expect(wireBranding(branding, 'night_logo')).toEqual({ night_logo_url, night_logo_source: 'U' });
  expect(wireBranding(branding, 'logo')).toEqual({ logo_url: '/static/icon.svg', logo_source: 'D' });
  expect(wireBranding(branding, 'icon')).toEqual({ icon_url: '/static/icon.svg', icon_source: 'G' });
});
