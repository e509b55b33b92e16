import { SYSTEM_GROUPS } from '#groups/model';
import { supportedPermissionSettings } from './supported-permissions.js';

test('permission settings name groups that there are', () => {
  const roles = SYSTEM_GROUPS.map(({ name }) => name);
  const names: readonly string[] = [...roles, 'stream_creator_or_nobody', 'group_creator'];
  for (const settings of Object.values(supportedPermissionSettings())) {
    for (const { default_group_name: name } of Object.values(settings)) expect(names).toContain(name);
  }
});

test('permission settings are those of the advertised level', () => {
  const { stream } = supportedPermissionSettings();
  expect(stream).not.toHaveProperty('can_create_topic_group');
  expect(stream['can_administer_channel_group']).toMatchObject({ default_group_name: 'stream_creator_or_nobody' });
});
