import { normalizeGroupSetting, type GroupSetting } from '#groups/model';
import { CHANNEL_PERMISSION_NAMES, type ChannelPermission } from '../model/channels/channel-permissions.js';
import type { ChannelSettings } from '../channel-settings.js';
import type { NewChannelParams } from './channels.params.js';
import { retentionDays } from './retention-days.js';

export function newChannelSettings(params: NewChannelParams): ChannelSettings {
  const permissions: Partial<Record<ChannelPermission, GroupSetting>> = {};
  for (const name of CHANNEL_PERMISSION_NAMES) {
    const value = params[name];
    if (value !== undefined) permissions[name] = normalizeGroupSetting(value);
  }
  return {
    inviteOnly: params.invite_only,
    isWebPublic: params.is_web_public,
    isDefault: params.is_default_stream,
    historyPublicToSubscribers: params.history_public_to_subscribers,
    messageRetentionDays: retentionDays(params.message_retention_days),
    topicsPolicy: params.topics_policy,
    folderId: params.folder_id ?? null,
    permissions,
  };
}
