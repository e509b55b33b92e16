import { CHANNEL_DESCRIPTION_LENGTH_MAX, CHANNEL_NAME_LENGTH_MAX } from '#channels';
import { EMPTY_TOPIC_DISPLAY_NAME, MESSAGE_LENGTH_MAX, MESSAGE_SETTINGS, TOPIC_LENGTH_MAX } from '#messages';
import { LIMITS, REALM_SETTINGS, realmPermission, supportedPermissionSettings, SYSTEM_GROUPS } from '#organization';

describe('what clients are told', () => {
  test('limits are those that are kept', () => {
    expect(LIMITS.max_message_length).toBe(MESSAGE_LENGTH_MAX);
    expect(LIMITS.max_topic_length).toBe(TOPIC_LENGTH_MAX);
    expect(LIMITS.max_stream_name_length).toBe(CHANNEL_NAME_LENGTH_MAX);
    expect(LIMITS.max_stream_description_length).toBe(CHANNEL_DESCRIPTION_LENGTH_MAX);
    expect(REALM_SETTINGS.empty_topic_display_name).toBe(EMPTY_TOPIC_DISPLAY_NAME);
  });

  test('settings are those that messages obey', () => {
    expect({
      allowMessageEditing: REALM_SETTINGS.allow_message_editing,
      contentEditLimitSeconds: REALM_SETTINGS.message_content_edit_limit_seconds,
      contentDeleteLimitSeconds: REALM_SETTINGS.message_content_delete_limit_seconds,
      moveWithinChannelLimitSeconds: REALM_SETTINGS.move_messages_within_stream_limit_seconds,
      moveBetweenChannelsLimitSeconds: REALM_SETTINGS.move_messages_between_streams_limit_seconds,
      topicsPolicy: REALM_SETTINGS.topics_policy,
      canDeleteAnyMessageGroup: realmPermission('can_delete_any_message_group'),
      canDeleteOwnMessageGroup: realmPermission('can_delete_own_message_group'),
      canMentionManyUsersGroup: realmPermission('can_mention_many_users_group'),
      canMoveMessagesBetweenChannelsGroup: realmPermission('can_move_messages_between_channels_group'),
      canMoveMessagesBetweenTopicsGroup: realmPermission('can_move_messages_between_topics_group'),
      canResolveTopicsGroup: realmPermission('can_resolve_topics_group'),
    }).toEqual(MESSAGE_SETTINGS);
  });

  test('permission settings name groups that there are', () => {
    const names: readonly string[] = [...SYSTEM_GROUPS.map(({ name }) => name), 'channel_creator', 'group_creator'];
    for (const settings of Object.values(supportedPermissionSettings())) {
      for (const { default_group_name: name } of Object.values(settings)) expect(names).toContain(name);
    }
  });
});
