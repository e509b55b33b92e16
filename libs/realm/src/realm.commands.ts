import type { ChangeablePermission, SettingsChange, User, WireGroupSetting } from '#organization';

/** The new holders of a permission, and those that the client believed to hold it (specification, "Group-setting update"). */
export interface PermissionUpdate {
  readonly new: WireGroupSetting;
  readonly old?: WireGroupSetting;
}

export interface ChangeRealm {
  readonly type: 'change-realm';
  readonly actor: User;
  /** As asked; what is as it is already may be among them. */
  readonly settings: SettingsChange;
  readonly permissions: Readonly<Partial<Record<ChangeablePermission, PermissionUpdate>>>;
  /** Seconds since the epoch. */
  readonly at: number;
}
