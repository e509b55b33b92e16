import { FEATURE_LEVEL, isAtLevel, nameAtLevel, releaseAt } from './interface-levels.js';
import { versionFields } from './server-version.js';

test.each([
  [156, '6.0'],
  [184, '6.0'],
  [421, '11.0'],
  [424, '11.0'],
])('level %d is of release %s', (level, release) => expect(releaseAt(level)).toBe(release));

test('the older names of the version are of the release that has the level', () => {
  expect(versionFields()).toMatchObject({
    zulip_feature_level: FEATURE_LEVEL,
    zulip_version: releaseAt(FEATURE_LEVEL),
  });
});

test('what a later level removed is there up to it', () => {
  const has = (level: number) => isAtLevel('register', 'realm_is_zephyr_mirror_realm', level);
  expect([421, 425, 426].map(has)).toEqual([true, true, false]);
});

test('what a later level renamed has the older name before it', () => {
  const name = (level: number) => nameAtLevel('defaultGroup', 'channel_creator', level);
  expect([421, 426, 427].map(name)).toEqual([
    'stream_creator_or_nobody',
    'stream_creator_or_nobody',
    'channel_creator',
  ]);
});

test('what is at every level needs no entry', () => {
  expect([isAtLevel('register', 'realm_name', 1), nameAtLevel('register', 'realm_name', 1)]).toEqual([
    true,
    'realm_name',
  ]);
});
