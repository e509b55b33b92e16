import { supportedPermissionSettings, SYSTEM_GROUPS } from '#organization';

test('permission settings name groups that there are', () => {
  const roles = SYSTEM_GROUPS.map(({ name }) => name);
  const names: readonly string[] = [...roles, 'stream_creator_or_nobody', 'group_creator'];
  for (const settings of Object.values(supportedPermissionSettings())) {
    for (const { default_group_name: name } of Object.values(settings)) expect(names).toContain(name);
  }
});
