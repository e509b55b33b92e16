import { supportedPermissionSettings, SYSTEM_GROUPS } from '#organization';

test('permission settings name groups that there are', () => {
  const names: readonly string[] = [...SYSTEM_GROUPS.map(({ name }) => name), 'channel_creator', 'group_creator'];
  for (const settings of Object.values(supportedPermissionSettings())) {
    for (const { default_group_name: name } of Object.values(settings)) expect(names).toContain(name);
  }
});
