// Generated from the OpenAPI document by `npm run wire-types`. Changes belong to the schemas of the server.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type AlertWordsEvent = {
    id: number;
    type: 'alert_words';
    alert_words: Array<string>;
};

export type Attachment = {
    id: number;
    name: string;
    path_id: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * Milliseconds since the epoch.
     */
    create_time: number;
    messages: Array<{
        id: number;
        /**
         * Milliseconds since the epoch.
         */
        date_sent: number;
    }>;
};

export type AttachmentAddEvent = {
    id: number;
    type: 'attachment';
    op: 'add';
    attachment: Attachment;
    upload_space_used: number;
};

export type AttachmentRemoveEvent = {
    id: number;
    type: 'attachment';
    op: 'remove';
    attachment: {
        id: number;
    };
    upload_space_used: number;
};

export type AttachmentUpdateEvent = {
    id: number;
    type: 'attachment';
    op: 'update';
    attachment: Attachment;
    upload_space_used: number;
};

export type Bot = {
    user_id: number;
    full_name: string;
    email: string;
    bot_type: number | null;
    is_active: boolean;
    /**
     * Empty for those who are not shown it.
     */
    api_key: string;
    /**
     * Name of a channel.
     */
    default_sending_stream: string | null;
    /**
     * Name of a channel.
     */
    default_events_register_stream: string | null;
    default_all_public_streams: boolean;
    avatar_url: string;
    owner_id: number | null;
    services: Array<BotService>;
};

export type BotService = {
    base_url: string;
    interface: number;
    token: string;
};

export type Channel = {
    stream_id: number;
    name: string;
    is_archived: boolean;
    /**
     * Markdown.
     */
    description: string;
    /**
     * HTML.
     */
    rendered_description: string;
    /**
     * Seconds since the epoch.
     */
    date_created: number;
    creator_id: number | null;
    invite_only: boolean;
    is_web_public: boolean;
    /**
     * The older form of can_send_message_group.
     */
    stream_post_policy: number;
    /**
     * The oldest form of can_send_message_group.
     */
    is_announcement_only: boolean;
    message_retention_days: number | null;
    history_public_to_subscribers: boolean;
    topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
    first_message_id: number | null;
    folder_id: number | null;
    is_recently_active: boolean;
    stream_weekly_traffic: number | null;
    subscriber_count: number;
    can_add_subscribers_group: GroupSetting;
    can_administer_channel_group: GroupSetting;
    can_create_topic_group: GroupSetting;
    can_delete_any_message_group: GroupSetting;
    can_delete_own_message_group: GroupSetting;
    can_move_messages_out_of_channel_group: GroupSetting;
    can_move_messages_within_channel_group: GroupSetting;
    can_remove_subscribers_group: GroupSetting;
    can_resolve_topics_group: GroupSetting;
    can_send_message_group: GroupSetting;
    can_subscribe_group: GroupSetting;
};

export type ChannelFolder = {
    id: number;
    name: string;
    order: number;
    description: string;
    rendered_description: string;
    creator_id: number | null;
    date_created: number | null;
    is_archived: boolean;
};

export type ChannelFolderAddEvent = {
    id: number;
    type: 'channel_folder';
    op: 'add';
    channel_folder: ChannelFolder;
};

export type ChannelFolderReorderEvent = {
    id: number;
    type: 'channel_folder';
    op: 'reorder';
    order: Array<number>;
};

export type ChannelFolderUpdateEvent = {
    id: number;
    type: 'channel_folder';
    op: 'update';
    channel_folder_id: number;
    data: {
        name?: string;
        description?: string;
        rendered_description?: string;
        is_archived?: boolean;
    };
};

export type ChannelMessage = {
    id: number;
    /**
     * HTML, or Markdown with apply_markdown=false.
     */
    content: string;
    content_type: 'text/html' | 'text/x-markdown';
    /**
     * ID of the channel or the direct conversation, below 2^31.
     */
    recipient_id: number;
    /**
     * The topic; empty in direct messages.
     */
    subject: string;
    sender_id: number;
    sender_email: string;
    sender_full_name: string;
    sender_realm_str: string;
    /**
     * Null where the client computes it.
     */
    avatar_url: string | null;
    client: string;
    /**
     * When it was sent; seconds since the epoch.
     */
    timestamp: number;
    is_me_message: boolean;
    reactions: Array<Reaction>;
    submessages: Array<Submessage>;
    topic_links: Array<TopicLink>;
    edit_history?: Array<MessageEdit>;
    last_edit_timestamp?: number;
    last_moved_timestamp?: number;
    type: 'stream';
    stream_id: number;
    display_recipient: string;
    flags: Array<MessageFlag>;
    /**
     * In searches: HTML with marked words.
     */
    match_content?: string;
    /**
     * In searches: the topic as HTML with marked words.
     */
    match_subject?: string;
};

export type ChannelSentMessage = {
    id: number;
    /**
     * HTML, or Markdown with apply_markdown=false.
     */
    content: string;
    content_type: 'text/html' | 'text/x-markdown';
    /**
     * ID of the channel or the direct conversation, below 2^31.
     */
    recipient_id: number;
    /**
     * The topic; empty in direct messages.
     */
    subject: string;
    sender_id: number;
    sender_email: string;
    sender_full_name: string;
    sender_realm_str: string;
    /**
     * Null where the client computes it.
     */
    avatar_url: string | null;
    client: string;
    /**
     * When it was sent; seconds since the epoch.
     */
    timestamp: number;
    is_me_message: boolean;
    reactions: Array<Reaction>;
    submessages: Array<Submessage>;
    topic_links: Array<TopicLink>;
    edit_history?: Array<MessageEdit>;
    last_edit_timestamp?: number;
    last_moved_timestamp?: number;
    type: 'stream';
    stream_id: number;
    display_recipient: string;
};

export type ClientDevice = {
    push_key_id: number | null;
    push_token_id: string | null;
    pending_push_token_id: string | null;
    push_token_last_updated_timestamp: number | null;
    push_registration_error_code: string | null;
};

export type CustomEmoji = {
    id: string;
    name: string;
    source_url: string;
    still_url: string | null;
    deactivated: boolean;
    author_id: number | null;
};

export type CustomProfileFieldsEvent = {
    id: number;
    type: 'custom_profile_fields';
    fields: Array<ProfileField>;
};

export type DefaultChannelGroup = {
    id: number;
    name: string;
    description: string;
    streams: Array<number>;
};

export type DefaultStreamGroupsEvent = {
    id: number;
    type: 'default_stream_groups';
    default_stream_groups: Array<DefaultChannelGroup>;
};

export type DefaultStreamsEvent = {
    id: number;
    type: 'default_streams';
    default_streams: Array<number>;
};

export type DeleteMessageEvent = {
    id: number;
    type: 'delete_message';
    message_id?: number;
    message_ids?: Array<number>;
    message_type: 'private';
} | {
    id: number;
    type: 'delete_message';
    message_id?: number;
    message_ids?: Array<number>;
    message_type: 'stream';
    stream_id: number;
    topic: string;
};

export type DeviceAddEvent = {
    id: number;
    type: 'device';
    op: 'add';
    device_id: number | string;
};

export type DeviceRemoveEvent = {
    id: number;
    type: 'device';
    op: 'remove';
    device_id: number | string;
};

export type DeviceUpdateEvent = {
    id: number;
    type: 'device';
    op: 'update';
    device_id: number | string;
    push_key_id?: number | null;
    push_token_id?: string | null;
    pending_push_token_id?: string | null;
    push_token_last_updated_timestamp?: number | null;
    push_registration_error_code?: string | null;
};

export type DirectMessage = {
    id: number;
    /**
     * HTML, or Markdown with apply_markdown=false.
     */
    content: string;
    content_type: 'text/html' | 'text/x-markdown';
    /**
     * ID of the channel or the direct conversation, below 2^31.
     */
    recipient_id: number;
    /**
     * The topic; empty in direct messages.
     */
    subject: string;
    sender_id: number;
    sender_email: string;
    sender_full_name: string;
    sender_realm_str: string;
    /**
     * Null where the client computes it.
     */
    avatar_url: string | null;
    client: string;
    /**
     * When it was sent; seconds since the epoch.
     */
    timestamp: number;
    is_me_message: boolean;
    reactions: Array<Reaction>;
    submessages: Array<Submessage>;
    topic_links: Array<TopicLink>;
    edit_history?: Array<MessageEdit>;
    last_edit_timestamp?: number;
    last_moved_timestamp?: number;
    type: 'private';
    display_recipient: Array<Recipient>;
    flags: Array<MessageFlag>;
    /**
     * In searches: HTML with marked words.
     */
    match_content?: string;
    /**
     * In searches: the topic as HTML with marked words.
     */
    match_subject?: string;
};

export type DirectSentMessage = {
    id: number;
    /**
     * HTML, or Markdown with apply_markdown=false.
     */
    content: string;
    content_type: 'text/html' | 'text/x-markdown';
    /**
     * ID of the channel or the direct conversation, below 2^31.
     */
    recipient_id: number;
    /**
     * The topic; empty in direct messages.
     */
    subject: string;
    sender_id: number;
    sender_email: string;
    sender_full_name: string;
    sender_realm_str: string;
    /**
     * Null where the client computes it.
     */
    avatar_url: string | null;
    client: string;
    /**
     * When it was sent; seconds since the epoch.
     */
    timestamp: number;
    is_me_message: boolean;
    reactions: Array<Reaction>;
    submessages: Array<Submessage>;
    topic_links: Array<TopicLink>;
    edit_history?: Array<MessageEdit>;
    last_edit_timestamp?: number;
    last_moved_timestamp?: number;
    type: 'private';
    display_recipient: Array<Recipient>;
};

export type Domain = {
    domain: string;
    allow_subdomains: boolean;
};

export type Draft = {
    id: number;
    type: '' | 'stream' | 'private';
    /**
     * ID of the channel, or those of the other people.
     */
    to: Array<number>;
    topic: string;
    content: string;
    timestamp: number;
};

export type DraftsAddEvent = {
    id: number;
    type: 'drafts';
    op: 'add';
    drafts: Array<Draft>;
};

export type DraftsRemoveEvent = {
    id: number;
    type: 'drafts';
    op: 'remove';
    draft_id: number;
};

export type DraftsUpdateEvent = {
    id: number;
    type: 'drafts';
    op: 'update';
    draft: Draft;
};

export type EmojiType = 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji' | 'service_extra_emoji';

export type Event = AlertWordsEvent | AttachmentAddEvent | AttachmentRemoveEvent | AttachmentUpdateEvent | ChannelFolderAddEvent | ChannelFolderReorderEvent | ChannelFolderUpdateEvent | CustomProfileFieldsEvent | DefaultStreamGroupsEvent | DefaultStreamsEvent | DeleteMessageEvent | DeviceAddEvent | DeviceRemoveEvent | DeviceUpdateEvent | DraftsAddEvent | DraftsRemoveEvent | DraftsUpdateEvent | HasZoomTokenEvent | HeartbeatEvent | InvitesChangedEvent | MessageEvent | MutedTopicsEvent | MutedUsersEvent | NavigationViewAddEvent | NavigationViewRemoveEvent | NavigationViewUpdateEvent | OnboardingStepsEvent | PresenceEvent | PushDeviceEvent | ReactionAddEvent | ReactionRemoveEvent | RealmDeactivatedEvent | RealmUpdateEvent | RealmUpdateDictEvent | RealmBotAddEvent | RealmBotDeleteEvent | RealmBotUpdateEvent | RealmDomainsAddEvent | RealmDomainsChangeEvent | RealmDomainsRemoveEvent | RealmEmojiUpdateEvent | RealmExportEvent | RealmExportConsentEvent | RealmLinkifiersEvent | RealmPlaygroundsEvent | RealmUserAddEvent | RealmUserRemoveEvent | RealmUserUpdateEvent | RealmUserSettingsDefaultsUpdateEvent | RemindersAddEvent | RemindersRemoveEvent | RestartEvent | SavedSnippetsAddEvent | SavedSnippetsRemoveEvent | SavedSnippetsUpdateEvent | ScheduledMessagesAddEvent | ScheduledMessagesRemoveEvent | ScheduledMessagesUpdateEvent | StreamCreateEvent | StreamDeleteEvent | StreamUpdateEvent | SubmessageEvent | SubscriptionAddEvent | SubscriptionPeerAddEvent | SubscriptionPeerRemoveEvent | SubscriptionRemoveEvent | SubscriptionUpdateEvent | TypingStartEvent | TypingStopEvent | TypingEditMessageStartEvent | TypingEditMessageStopEvent | UpdateDisplaySettingsEvent | UpdateGlobalNotificationsEvent | UpdateMessageEvent | UpdateMessageFlagsAddEvent | UpdateMessageFlagsRemoveEvent | UserGroupAddEvent | UserGroupAddMembersEvent | UserGroupAddSubgroupsEvent | UserGroupRemoveEvent | UserGroupRemoveMembersEvent | UserGroupRemoveSubgroupsEvent | UserGroupUpdateEvent | UserSettingsUpdateEvent | UserStatusEvent | UserTopicEvent;

export type Export = {
    id: number;
    acting_user_id: number;
    export_time: number;
    deleted_timestamp: number | null;
    failed_timestamp: number | null;
    export_url: string | null;
    pending: boolean;
    export_type: 1 | 2;
};

export type Failure = {
    result: 'error';
    msg: string;
    code: 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'INVALID_JSON' | 'UNAUTHORIZED_PRINCIPAL' | 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' | 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED' | 'IDEMPOTENCY_KEY_REUSED' | 'REACTION_ALREADY_EXISTS' | 'REACTION_DOES_NOT_EXIST' | 'BAD_IMAGE' | 'REALM_UPLOAD_QUOTA' | 'CSRF_FAILED' | 'NONEXISTENT_SUBDOMAIN' | 'INVALID_PUSH_DEVICE_TOKEN' | 'INVALID_REMOTE_PUSH_DEVICE_TOKEN' | 'NO_ACTIVE_PUSH_DEVICE' | 'ADMIN_ACTION_REQUIRED' | 'FAILED_TO_CONNECT_BOUNCER' | 'INTERNAL_SERVER_ERROR_ON_BOUNCER' | 'INVALID_BOUNCER_PUBLIC_KEY' | 'PUSH_SERVICE_NOT_CONFIGURED' | 'REQUEST_EXPIRED' | 'INVALID_ZOOM_TOKEN' | 'UNAUTHORIZED' | 'INVALID_API_KEY' | 'AUTHENTICATION_FAILED' | 'USER_DEACTIVATED' | 'REALM_DEACTIVATED' | 'PASSWORD_AUTH_DISABLED' | 'READ_ONLY' | 'INTERNAL_SERVER_ERROR';
} | {
    result: 'error';
    msg: string;
    code: 'BAD_REQUEST';
    /**
     * Where a topic is required.
     */
    empty_topic_display_name?: string;
} | {
    result: 'error';
    msg: string;
    code: 'METHOD_NOT_ALLOWED';
    allowed_methods?: Array<string>;
} | {
    result: 'error';
    msg: string;
    code: 'REQUEST_VARIABLE_MISSING';
    var_name: string;
} | {
    result: 'error';
    msg: string;
    code: 'REQUEST_VARIABLE_INVALID';
    var_name: string;
    bad_value: string;
} | {
    result: 'error';
    msg: string;
    code: 'REQUEST_CONFUSING_VAR';
    var_name1: string;
    var_name2: string;
} | {
    result: 'error';
    msg: string;
    code: 'PARAMETER_NOT_SUPPORTED';
    var_name: string;
} | {
    result: 'error';
    msg: string;
    code: 'BAD_NARROW';
    desc: string;
} | {
    result: 'error';
    msg: string;
    code: 'BAD_EVENT_QUEUE_ID';
    queue_id: string;
} | {
    result: 'error';
    msg: string;
    code: 'STREAM_DOES_NOT_EXIST';
    stream?: string;
    stream_id?: number;
} | {
    result: 'error';
    msg: string;
    code: 'CHANNEL_ALREADY_EXISTS';
    channel_name: string;
} | {
    result: 'error';
    msg: string;
    code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED';
    first_message_id_allowed_to_move: number;
    total_messages_in_topic: number;
    total_messages_allowed_to_move: number;
} | {
    result: 'error';
    msg: string;
    code: 'INVITATION_FAILED';
    /**
     * Address, reason, and whether the account is deactivated.
     */
    errors: Array<Array<string | boolean>>;
    sent_invitations: boolean;
    daily_limit_reached: boolean;
    license_limit_reached: boolean;
} | {
    result: 'error';
    msg: string;
    code: 'EXPECTATION_MISMATCH';
    field_name: string;
} | {
    result: 'error';
    msg: string;
    code: 'SYSTEM_GROUP_REQUIRED';
    setting_name: string;
} | {
    result: 'error';
    msg: string;
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE';
    objections: Array<{
        type: 'subgroup';
        supergroup_ids: Array<number>;
    } | {
        type: 'channel';
        channel_id: number;
        settings: Array<string>;
    } | {
        type: 'user_group';
        group_id: number;
        settings: Array<string>;
    } | {
        type: 'realm';
        settings: Array<string>;
    }>;
} | {
    result: 'error';
    msg: string;
    code: 'CANNOT_DEACTIVATE_LAST_USER';
    is_last_owner: boolean;
    entity: string;
} | {
    result: 'error';
    msg: string;
    code: 'RATE_LIMIT_HIT';
    'retry-after': number;
} | {
    result: 'error';
    msg: string;
    code: 'SERVER_NOT_READY';
    'retry-after'?: number;
    /**
     * Of a start, at `/health/ready` alone.
     */
    phase?: 'opening' | 'read_models' | 'finishing';
    position?: number;
    head?: number;
    /**
     * Events a second.
     */
    rate?: number;
    /**
     * Seconds left.
     */
    estimate?: number | null;
} | {
    result: 'error';
    msg: string;
    code: 'PROJECTION_SET_ASIDE';
    /**
     * The read model that has failed.
     */
    projection: string;
};

export type GroupSetting = number | {
    direct_members: Array<number>;
    direct_subgroups: Array<number>;
};

export type HasZoomTokenEvent = {
    id: number;
    type: 'has_zoom_token';
    value: boolean;
};

export type HeartbeatEvent = {
    id: number;
    type: 'heartbeat';
};

export type Invitation = {
    id: number;
    invited_by_user_id: number;
    /**
     * Seconds since the epoch, as all times.
     */
    invited: number;
    /**
     * Null for an invitation without an end.
     */
    expiry_date: number | null;
    invited_as: number;
    is_multiuse: false;
    email: string;
    notify_referrer_on_join: boolean;
} | {
    id: number;
    invited_by_user_id: number;
    /**
     * Seconds since the epoch, as all times.
     */
    invited: number;
    /**
     * Null for an invitation without an end.
     */
    expiry_date: number | null;
    invited_as: number;
    is_multiuse: true;
    link_url: string;
};

export type InvitesChangedEvent = {
    id: number;
    type: 'invites_changed';
};

export type LegacyPresence = {
    client: string;
    status: 'active' | 'idle';
    timestamp: number;
    pushable: boolean;
};

export type Linkifier = {
    id: number;
    pattern: string;
    url_template: string;
};

export type Message = ChannelMessage | DirectMessage;

export type MessageEdit = {
    user_id: number | null;
    timestamp: number;
    prev_content?: string;
    prev_rendered_content?: string;
    prev_stream?: number;
    stream?: number;
    prev_topic?: string;
    topic?: string;
};

export type MessageEvent = {
    id: number;
    type: 'message';
    message: SentMessage;
    flags: Array<MessageFlag>;
    local_message_id?: string;
    local_id?: string;
};

export type MessageFlag = 'read' | 'starred' | 'collapsed' | 'mentioned' | 'stream_wildcard_mentioned' | 'topic_wildcard_mentioned' | 'has_alert_word' | 'historical' | 'wildcard_mentioned';

export type MessageHistoryEntry = {
    content: string;
    rendered_content: string;
    timestamp: number;
    user_id: number | null;
    prev_stream?: number;
    stream?: number;
    prev_topic?: string;
    topic: string;
    prev_content?: string;
    prev_rendered_content?: string;
    content_html_diff?: string;
};

export type MutedTopicsEvent = {
    id: number;
    type: 'muted_topics';
    muted_topics: Array<[
        string,
        string,
        number
    ]>;
};

export type MutedUser = {
    id: number;
    timestamp: number;
};

export type MutedUsersEvent = {
    id: number;
    type: 'muted_users';
    muted_users: Array<MutedUser>;
};

export type NavigationView = {
    fragment: string;
    is_pinned: boolean;
    name: string | null;
};

export type NavigationViewAddEvent = {
    id: number;
    type: 'navigation_view';
    op: 'add';
    navigation_view: NavigationView;
};

export type NavigationViewRemoveEvent = {
    id: number;
    type: 'navigation_view';
    op: 'remove';
    fragment: string;
};

export type NavigationViewUpdateEvent = {
    id: number;
    type: 'navigation_view';
    op: 'update';
    fragment: string;
    data: {
        is_pinned?: boolean;
        name?: string;
    };
};

export type NeverSubscribedChannel = {
    stream_id: number;
    name: string;
    is_archived: boolean;
    /**
     * Markdown.
     */
    description: string;
    /**
     * HTML.
     */
    rendered_description: string;
    /**
     * Seconds since the epoch.
     */
    date_created: number;
    creator_id: number | null;
    invite_only: boolean;
    is_web_public: boolean;
    /**
     * The older form of can_send_message_group.
     */
    stream_post_policy: number;
    /**
     * The oldest form of can_send_message_group.
     */
    is_announcement_only: boolean;
    message_retention_days: number | null;
    history_public_to_subscribers: boolean;
    topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
    first_message_id: number | null;
    folder_id: number | null;
    is_recently_active: boolean;
    stream_weekly_traffic: number | null;
    subscriber_count: number;
    can_add_subscribers_group: GroupSetting;
    can_administer_channel_group: GroupSetting;
    can_create_topic_group: GroupSetting;
    can_delete_any_message_group: GroupSetting;
    can_delete_own_message_group: GroupSetting;
    can_move_messages_out_of_channel_group: GroupSetting;
    can_move_messages_within_channel_group: GroupSetting;
    can_remove_subscribers_group: GroupSetting;
    can_resolve_topics_group: GroupSetting;
    can_send_message_group: GroupSetting;
    can_subscribe_group: GroupSetting;
    subscribers?: Array<number>;
    partial_subscribers?: Array<number>;
};

export type OnboardingStepsEvent = {
    id: number;
    type: 'onboarding_steps';
    onboarding_steps: Array<{
        type: string;
        name: string;
    }>;
};

export type OperatorUser = {
    user_id: number;
    full_name: string;
    email: string;
    role: string;
    is_active: boolean;
    is_bot: boolean;
    bot_owner_id: number | null;
    /**
     * Seconds since the epoch.
     */
    joined_at: number;
    has_password: boolean;
};

export type PendingWork = {
    kind: string;
    /**
     * Unique within the kind.
     */
    id: string;
    /**
     * Without contents.
     */
    what: string;
    /**
     * UNIX seconds, as the other times.
     */
    since: number;
    /**
     * Those that failed.
     */
    attempts: number;
    /**
     * Why the last one failed.
     */
    reason: string | null;
    /**
     * null: none is made, unless somebody asks for it.
     */
    next_at: number | null;
};

export type Playground = {
    id: number;
    name: string;
    pygments_language: string;
    url_template: string;
};

export type Presence = {
    active_timestamp: number;
    idle_timestamp: number;
};

export type PresenceEvent = {
    id: number;
    type: 'presence';
    presences: {
        [key: string]: Presence;
    };
} | {
    id: number;
    type: 'presence';
    user_id: number;
    email?: string;
    server_timestamp: number;
    presence: {
        [key: string]: LegacyPresence;
    };
};

export type ProfileField = {
    id: number;
    name: string;
    /**
     * 1 short text, 2 paragraph, 3 options, 4 date, 5 link, 6 users, 7 account elsewhere, 8 pronouns.
     */
    type: number;
    hint: string;
    /**
     * JSON of the options or the account; empty for other types.
     */
    field_data: string;
    order: number;
    required: boolean;
    editable_by_user: boolean;
    display_in_profile_summary?: true;
};

export type PushDevice = {
    status: 'pending' | 'active' | 'failed';
    error_code?: string;
};

export type PushDeviceEvent = {
    id: number;
    type: 'push_device';
    push_account_id: string;
    status: 'pending' | 'active' | 'failed';
    error_code?: string;
};

export type Reaction = {
    emoji_name: string;
    emoji_code: string;
    reaction_type: EmojiType;
    user_id: number;
};

export type ReactionAddEvent = {
    id: number;
    type: 'reaction';
    op: 'add';
    message_id: number;
    emoji_name: string;
    emoji_code: string;
    reaction_type: EmojiType;
    user_id: number;
    user: {
        user_id: number;
        email: string;
        full_name: string;
    };
};

export type ReactionRemoveEvent = {
    id: number;
    type: 'reaction';
    op: 'remove';
    message_id: number;
    emoji_name: string;
    emoji_code: string;
    reaction_type: EmojiType;
    user_id: number;
    user: {
        user_id: number;
        email: string;
        full_name: string;
    };
};

export type RealmBotAddEvent = {
    id: number;
    type: 'realm_bot';
    op: 'add';
    bot: Bot;
};

export type RealmBotDeleteEvent = {
    id: number;
    type: 'realm_bot';
    op: 'delete';
    bot: {
        user_id: number;
    };
};

export type RealmBotUpdateEvent = {
    id: number;
    type: 'realm_bot';
    op: 'update';
    bot: {
        user_id: number;
        full_name?: string;
        email?: string;
        is_active?: boolean;
        api_key?: string;
        /**
         * Name of a channel.
         */
        default_sending_stream?: string | null;
        /**
         * Name of a channel.
         */
        default_events_register_stream?: string | null;
        default_all_public_streams?: boolean;
        avatar_url?: string;
        owner_id?: number | null;
        services?: Array<BotService>;
    };
};

export type RealmDeactivatedEvent = {
    id: number;
    type: 'realm';
    op: 'deactivated';
    realm_id: number;
};

export type RealmDomainsAddEvent = {
    id: number;
    type: 'realm_domains';
    op: 'add';
    realm_domain: Domain;
};

export type RealmDomainsChangeEvent = {
    id: number;
    type: 'realm_domains';
    op: 'change';
    realm_domain: Domain;
};

export type RealmDomainsRemoveEvent = {
    id: number;
    type: 'realm_domains';
    op: 'remove';
    domain: string;
};

export type RealmEmojiUpdateEvent = {
    id: number;
    type: 'realm_emoji';
    op: 'update';
    realm_emoji: {
        [key: string]: CustomEmoji;
    };
};

export type RealmExportConsentEvent = {
    id: number;
    type: 'realm_export_consent';
    user_id: number;
    consented: boolean;
};

export type RealmExportEvent = {
    id: number;
    type: 'realm_export';
    exports: Array<Export>;
};

export type RealmLinkifiersEvent = {
    id: number;
    type: 'realm_linkifiers';
    realm_linkifiers: Array<Linkifier>;
};

export type RealmPlaygroundsEvent = {
    id: number;
    type: 'realm_playgrounds';
    realm_playgrounds: Array<Playground>;
};

export type RealmUpdateDictEvent = {
    id: number;
    type: 'realm';
    op: 'update_dict';
    property: 'default';
    data: {
        allow_message_editing?: boolean;
        message_content_edit_limit_seconds?: number | null;
        topics_policy?: 'allow_empty_topic' | 'disable_empty_topic';
        authentication_methods?: {
            [key: string]: {
                enabled: boolean;
                available: boolean;
                unavailable_reason?: string;
            };
        };
        create_multiuse_invite_group?: GroupSetting;
        can_access_all_users_group?: GroupSetting;
        can_audit_group?: GroupSetting;
        can_add_custom_emoji_group?: GroupSetting;
        can_add_subscribers_group?: GroupSetting;
        can_create_bots_group?: GroupSetting;
        can_create_write_only_bots_group?: GroupSetting;
        can_create_groups?: GroupSetting;
        can_create_public_channel_group?: GroupSetting;
        can_create_private_channel_group?: GroupSetting;
        can_create_web_public_channel_group?: GroupSetting;
        can_delete_any_message_group?: GroupSetting;
        can_delete_own_message_group?: GroupSetting;
        can_invite_users_group?: GroupSetting;
        can_manage_all_groups?: GroupSetting;
        can_manage_billing_group?: GroupSetting;
        can_mention_many_users_group?: GroupSetting;
        can_move_messages_between_channels_group?: GroupSetting;
        can_move_messages_between_topics_group?: GroupSetting;
        can_resolve_topics_group?: GroupSetting;
        can_set_delete_message_policy_group?: GroupSetting;
        can_set_topics_policy_group?: GroupSetting;
        can_summarize_topics_group?: GroupSetting;
        direct_message_initiator_group?: GroupSetting;
        direct_message_permission_group?: GroupSetting;
        mandatory_topics?: boolean;
    };
} | {
    id: number;
    type: 'realm';
    op: 'update_dict';
    property: 'icon';
    data: {
        icon_url: string;
        icon_source: 'G' | 'U';
    };
} | {
    id: number;
    type: 'realm';
    op: 'update_dict';
    property: 'logo';
    data: {
        logo_url: string;
        logo_source: 'D' | 'U';
    };
} | {
    id: number;
    type: 'realm';
    op: 'update_dict';
    property: 'night_logo';
    data: {
        night_logo_url: string;
        night_logo_source: 'D' | 'U';
    };
};

export type RealmUpdateEvent = {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'name';
    value: string;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'description';
    value: string;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'org_type';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'default_language';
    value: string;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'invite_required';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'want_advertise_in_communities_directory';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'emails_restricted_to_domains';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'disallow_disposable_email_addresses';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'require_unique_names';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'waiting_period_threshold';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'name_changes_disabled';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'email_changes_disabled';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'avatar_changes_disabled';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'message_content_delete_limit_seconds';
    value: number | null;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'move_messages_within_stream_limit_seconds';
    value: number | null;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'move_messages_between_streams_limit_seconds';
    value: number | null;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'message_edit_history_visibility_policy';
    value: 'all' | 'moves' | 'none';
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'message_retention_days';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'enable_read_receipts';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'presence_disabled';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'enable_guest_user_indicator';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'enable_guest_user_dm_warning';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'enable_spectator_access';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'inline_image_preview';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'inline_url_embed_preview';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'video_chat_provider';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'jitsi_server_url';
    value: string | null;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'giphy_rating';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'default_code_block_language';
    value: string;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'welcome_message_custom_text';
    value: string;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'new_stream_announcements_stream_id';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'signup_announcements_stream_id';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'zulip_update_announcements_stream_id';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'moderation_request_channel_id';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'digest_emails_enabled';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'digest_weekday';
    value: number;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'send_welcome_emails';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'message_content_allowed_in_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'require_e2ee_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'send_channel_events_messages';
    value: boolean;
} | {
    id: number;
    type: 'realm';
    op: 'update';
    property: 'allow_edit_history';
    value: boolean;
};

export type RealmUserAddEvent = {
    id: number;
    type: 'realm_user';
    op: 'add';
    person: User;
};

export type RealmUserRemoveEvent = {
    id: number;
    type: 'realm_user';
    op: 'remove';
    person: {
        user_id: number;
        full_name: string;
    };
};

export type RealmUserSettingsDefaultsUpdateEvent = {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'twenty_four_hour_time';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'starred_message_counts';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'display_emoji_reaction_users';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'emojiset';
    value: 'google' | 'google-blob' | 'twitter' | 'text';
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'presence_enabled';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_inbox_show_channel_folders';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'send_private_typing_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'send_stream_typing_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'receives_typing_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'pm_content_in_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'default_language';
    value: string;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'timezone';
    value: string;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'color_scheme';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enter_sends';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'fluid_layout_width';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'high_contrast_mode';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'translate_emoticons';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'left_side_userlist';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'user_list_style';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'demote_inactive_streams';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'hide_ai_features';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_home_view';
    value: 'inbox' | 'recent_topics' | 'all_messages';
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_escape_navigates_to_home_view';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_font_size_px';
    value: number;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_line_height_percent';
    value: number;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_mark_read_on_scroll_policy';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_channel_default_view';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_stream_unreads_count_display_policy';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_animate_image_previews';
    value: 'always' | 'on_hover' | 'never';
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_navigate_to_sent_message';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_suggest_update_timezone';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_left_sidebar_unreads_count_summary';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'web_left_sidebar_show_channel_folders';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_stream_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_stream_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_stream_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_stream_audible_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'wildcard_mentions_notify';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_followed_topic_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_followed_topic_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_followed_topic_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_followed_topic_audible_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_followed_topic_wildcard_mentions_notify';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_sounds';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_offline_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_offline_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_online_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_digest_emails';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_login_emails';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_marketing_emails';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'message_content_in_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'notification_sound';
    value: 'none' | 'ding' | 'zulip';
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'email_notifications_batching_period_seconds';
    value: number;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'desktop_icon_count_display';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'realm_name_in_email_notifications_policy';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'automatically_follow_topics_policy';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'automatically_unmute_topics_in_muted_streams_policy';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'automatically_follow_topics_where_mentioned';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'resolved_topic_notice_auto_read_policy';
    value: 'always' | 'except_followed' | 'never';
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'send_read_receipts';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'allow_private_data_export';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'enable_drafts_synchronization';
    value: boolean;
} | {
    id: number;
    type: 'realm_user_settings_defaults';
    op: 'update';
    property: 'email_address_visibility';
    value: 1 | 2 | 3 | 4 | 5;
};

export type RealmUserUpdateEvent = {
    id: number;
    type: 'realm_user';
    op: 'update';
    person: {
        user_id: number;
        full_name: string;
    } | {
        user_id: number;
        avatar_url: string | null;
        avatar_source: 'G' | 'U';
        avatar_url_medium: string | null;
        avatar_version: number;
    } | {
        user_id: number;
        email: string;
        timezone: string;
    } | {
        user_id: number;
        bot_owner_id: number;
    } | {
        user_id: number;
        /**
         * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        role: 100 | 200 | 300 | 400 | 600;
    } | {
        user_id: number;
        delivery_email: string | null;
    } | {
        user_id: number;
        custom_profile_field: {
            id: number;
            value: string | null;
            rendered_value?: string;
        };
    } | {
        user_id: number;
        new_email: string;
    } | {
        user_id: number;
        is_active: boolean;
    };
};

export type Recipient = {
    id: number;
    email: string;
    full_name: string;
    is_mirror_dummy: boolean;
};

export type RegisterState = {
    max_message_id?: number;
    unread_msgs?: UnreadMessages;
    starred_messages?: Array<number>;
    recent_private_conversations?: Array<{
        max_message_id: number;
        /**
         * The other participants, ascending; empty for notes to oneself.
         */
        user_ids: Array<number>;
    }>;
    stop_words?: Array<string>;
    server_presence_ping_interval_seconds?: number;
    server_presence_offline_threshold_seconds?: number;
    server_typing_started_expiry_period_milliseconds?: number;
    server_typing_stopped_wait_period_milliseconds?: number;
    server_typing_started_wait_period_milliseconds?: number;
    event_queue_longpoll_timeout_seconds?: number;
    server_inline_image_preview?: boolean;
    server_inline_url_embed_preview?: boolean;
    server_avatar_changes_disabled?: boolean;
    server_name_changes_disabled?: boolean;
    server_web_public_streams_enabled?: boolean;
    settings_send_digest_emails?: boolean;
    server_jitsi_server_url?: string | null;
    server_can_summarize_topics?: boolean;
    server_needs_upgrade?: boolean;
    development_environment?: boolean;
    server_min_deactivated_realm_deletion_days?: number | null;
    server_max_deactivated_realm_deletion_days?: number | null;
    server_thumbnail_formats?: Array<{
        name: string;
        max_width: number;
        max_height: number;
        format: string;
        animated: boolean;
    }>;
    server_report_message_types?: Array<{
        key: string;
        name: string;
    }>;
    giphy_rating_options?: {
        [key: string]: {
            id: number;
            name: string;
        };
    };
    zulip_plan_is_not_limited?: boolean;
    upgrade_text_for_wide_organization_logo?: string;
    max_message_length?: number;
    max_topic_length?: number;
    max_stream_name_length?: number;
    max_stream_description_length?: number;
    max_channel_folder_name_length?: number;
    max_channel_folder_description_length?: number;
    max_reminder_note_length?: number;
    max_bulk_new_subscription_messages?: number;
    max_avatar_file_size_mib?: number;
    max_icon_file_size_mib?: number;
    max_logo_file_size_mib?: number;
    password_min_length?: number;
    password_max_length?: number;
    password_min_guesses?: number;
    realm_name?: string;
    realm_description?: string;
    realm_org_type?: number;
    realm_default_language?: string;
    realm_invite_required?: boolean;
    realm_want_advertise_in_communities_directory?: boolean;
    realm_emails_restricted_to_domains?: boolean;
    realm_disallow_disposable_email_addresses?: boolean;
    realm_require_unique_names?: boolean;
    realm_waiting_period_threshold?: number;
    realm_name_changes_disabled?: boolean;
    realm_email_changes_disabled?: boolean;
    realm_avatar_changes_disabled?: boolean;
    realm_allow_message_editing?: boolean;
    realm_message_content_edit_limit_seconds?: number | null;
    realm_message_content_delete_limit_seconds?: number | null;
    realm_move_messages_within_stream_limit_seconds?: number | null;
    realm_move_messages_between_streams_limit_seconds?: number | null;
    realm_message_edit_history_visibility_policy?: 'all' | 'moves' | 'none';
    realm_message_retention_days?: number;
    realm_topics_policy?: 'allow_empty_topic' | 'disable_empty_topic';
    realm_enable_read_receipts?: boolean;
    realm_presence_disabled?: boolean;
    realm_enable_guest_user_indicator?: boolean;
    realm_enable_guest_user_dm_warning?: boolean;
    realm_enable_spectator_access?: boolean;
    realm_inline_image_preview?: boolean;
    realm_inline_url_embed_preview?: boolean;
    realm_video_chat_provider?: number;
    realm_authentication_methods?: {
        [key: string]: {
            enabled: boolean;
            available: boolean;
            unavailable_reason?: string;
        };
    };
    realm_jitsi_server_url?: string | null;
    realm_giphy_rating?: number;
    realm_default_code_block_language?: string;
    realm_welcome_message_custom_text?: string;
    realm_new_stream_announcements_stream_id?: number;
    realm_signup_announcements_stream_id?: number;
    realm_zulip_update_announcements_stream_id?: number;
    realm_moderation_request_channel_id?: number;
    realm_digest_emails_enabled?: boolean;
    realm_digest_weekday?: number;
    realm_send_welcome_emails?: boolean;
    realm_message_content_allowed_in_email_notifications?: boolean;
    realm_require_e2ee_push_notifications?: boolean;
    realm_send_channel_events_messages?: boolean;
    realm_create_multiuse_invite_group?: GroupSetting;
    realm_can_access_all_users_group?: GroupSetting;
    realm_can_audit_group?: GroupSetting;
    realm_can_add_custom_emoji_group?: GroupSetting;
    realm_can_add_subscribers_group?: GroupSetting;
    realm_can_create_bots_group?: GroupSetting;
    realm_can_create_write_only_bots_group?: GroupSetting;
    realm_can_create_groups?: GroupSetting;
    realm_can_create_public_channel_group?: GroupSetting;
    realm_can_create_private_channel_group?: GroupSetting;
    realm_can_create_web_public_channel_group?: GroupSetting;
    realm_can_delete_any_message_group?: GroupSetting;
    realm_can_delete_own_message_group?: GroupSetting;
    realm_can_invite_users_group?: GroupSetting;
    realm_can_manage_all_groups?: GroupSetting;
    realm_can_manage_billing_group?: GroupSetting;
    realm_can_mention_many_users_group?: GroupSetting;
    realm_can_move_messages_between_channels_group?: GroupSetting;
    realm_can_move_messages_between_topics_group?: GroupSetting;
    realm_can_resolve_topics_group?: GroupSetting;
    realm_can_set_delete_message_policy_group?: GroupSetting;
    realm_can_set_topics_policy_group?: GroupSetting;
    realm_can_summarize_topics_group?: GroupSetting;
    realm_direct_message_initiator_group?: GroupSetting;
    realm_direct_message_permission_group?: GroupSetting;
    realm_add_custom_emoji_policy?: number;
    realm_bot_creation_policy?: number;
    realm_user_group_edit_policy?: number;
    realm_create_public_stream_policy?: number;
    realm_create_private_stream_policy?: number;
    realm_create_web_public_stream_policy?: number;
    realm_delete_own_message_policy?: number;
    realm_invite_to_realm_policy?: number;
    realm_invite_to_stream_policy?: number;
    realm_move_messages_between_streams_policy?: number;
    realm_edit_topic_policy?: number;
    realm_wildcard_mention_policy?: number;
    realm_icon_url?: string;
    realm_icon_source?: 'G' | 'U';
    realm_logo_url?: string;
    realm_logo_source?: 'D' | 'U';
    realm_night_logo_url?: string;
    realm_night_logo_source?: 'D' | 'U';
    realm_email_auth_enabled?: boolean;
    realm_password_auth_enabled?: boolean;
    realm_allow_edit_history?: boolean;
    realm_mandatory_topics?: boolean;
    realm_plan_type?: number;
    realm_push_notifications_enabled?: boolean;
    realm_push_notifications_enabled_end_timestamp?: number | null;
    realm_empty_topic_display_name?: string;
    realm_default_external_accounts?: {
        [key: string]: {
            text: string;
            url_pattern: string;
            name: string;
            hint: string;
        };
    };
    realm_available_video_chat_providers?: {
        [key: string]: {
            id: number;
            name: string;
        };
    };
    realm_upload_quota_mib?: number | null;
    realm_uuid?: string;
    realm_date_created?: number;
    realm_url?: string;
    realm_uri?: string;
    realm_bot_domain?: string;
    realm_is_zephyr_mirror_realm?: boolean;
    jitsi_server_url?: string | null;
    max_file_upload_size_mib?: number;
    server_generation?: number;
    server_emoji_data_url?: string;
    server_supported_permission_settings?: {
        realm: {
            [key: string]: SupportedPermissionSetting;
        };
        stream: {
            [key: string]: SupportedPermissionSetting;
        };
        group: {
            [key: string]: SupportedPermissionSetting;
        };
    };
    realm_domains?: Array<Domain>;
    realm_linkifiers?: Array<Linkifier>;
    realm_playgrounds?: Array<Playground>;
    realm_users?: Array<ShownUser>;
    realm_non_active_users?: Array<ShownUser>;
    cross_realm_bots?: Array<ShownUser>;
    user_id?: number;
    email?: string;
    delivery_email?: string;
    full_name?: string;
    avatar_source?: 'G' | 'U';
    avatar_url?: string | null;
    avatar_url_medium?: string | null;
    is_owner?: boolean;
    is_admin?: boolean;
    is_moderator?: boolean;
    is_guest?: boolean;
    can_create_public_streams?: boolean;
    can_create_private_streams?: boolean;
    can_create_web_public_streams?: boolean;
    can_create_streams?: boolean;
    can_invite_others_to_realm?: boolean;
    custom_profile_fields?: Array<ProfileField>;
    custom_profile_field_types?: {
        [key: string]: {
            id: number;
            name: string;
        };
    };
    realm_emoji?: {
        [key: string]: CustomEmoji;
    };
    realm_bots?: Array<Bot>;
    realm_user_groups?: Array<UserGroup>;
    realm_default_streams?: Array<number>;
    streams?: Array<Channel>;
    subscriptions?: Array<Subscription>;
    unsubscribed?: Array<Subscription>;
    never_subscribed?: Array<NeverSubscribedChannel>;
    realm_default_stream_groups?: Array<DefaultChannelGroup>;
    channel_folders?: Array<ChannelFolder>;
    alert_words?: Array<string>;
    muted_topics?: Array<[
        string,
        string,
        number
    ]>;
    muted_users?: Array<MutedUser>;
    onboarding_steps?: Array<{
        type: string;
        name: string;
    }>;
    navigation_tour_video_url?: string | null;
    user_topics?: Array<UserTopic>;
    user_settings?: UserSettings;
    realm_user_settings_defaults?: UserSettingDefaults;
    twenty_four_hour_time?: boolean;
    starred_message_counts?: boolean;
    emojiset?: 'google' | 'google-blob' | 'twitter' | 'text';
    default_language?: string;
    color_scheme?: 1 | 2 | 3;
    enter_sends?: boolean;
    fluid_layout_width?: boolean;
    high_contrast_mode?: boolean;
    translate_emoticons?: boolean;
    left_side_userlist?: boolean;
    demote_inactive_streams?: 1 | 2 | 3;
    default_view?: 'inbox' | 'recent_topics' | 'all_messages';
    enable_drafts_synchronization?: boolean;
    presence_enabled?: boolean;
    pm_content_in_desktop_notifications?: boolean;
    enable_stream_desktop_notifications?: boolean;
    enable_stream_email_notifications?: boolean;
    enable_stream_push_notifications?: boolean;
    enable_stream_audible_notifications?: boolean;
    wildcard_mentions_notify?: boolean;
    enable_desktop_notifications?: boolean;
    enable_sounds?: boolean;
    enable_offline_email_notifications?: boolean;
    enable_offline_push_notifications?: boolean;
    enable_online_push_notifications?: boolean;
    enable_digest_emails?: boolean;
    enable_login_emails?: boolean;
    enable_marketing_emails?: boolean;
    message_content_in_email_notifications?: boolean;
    notification_sound?: 'none' | 'ding' | 'zulip';
    email_notifications_batching_period_seconds?: number;
    desktop_icon_count_display?: 1 | 2 | 3 | 4;
    realm_name_in_email_notifications_policy?: 1 | 2 | 3;
    timezone?: string;
    emojiset_choices?: Array<{
        key: string;
        text: string;
    }>;
    available_notification_sounds?: Array<string>;
    presences?: {
        [key: string]: Presence;
    } | {
        [key: string]: {
            [key: string]: LegacyPresence;
        };
    };
    server_timestamp?: number;
    presence_last_update_id?: number;
    user_status?: {
        [key: string]: UserStatus;
    };
    drafts?: Array<Draft>;
    saved_snippets?: Array<SavedSnippet>;
    navigation_views?: Array<NavigationView>;
    scheduled_messages?: Array<ScheduledMessage>;
    reminders?: Array<Reminder>;
    push_devices?: {
        [key: string]: PushDevice;
    };
    devices?: {
        [key: string]: ClientDevice;
    };
    has_zoom_token?: boolean;
    giphy_api_key?: string;
    klipy_api_key?: string;
    tenor_api_key?: string;
    realm_billing?: {
        has_pending_sponsorship_request: boolean;
    };
    realm_embedded_bots?: Array<{
        name: string;
        config: {
            [key: string]: string;
        };
    }>;
    realm_filters?: Array<unknown>;
    realm_incoming_webhook_bots?: Array<unknown>;
    queue_id: string | null;
    last_event_id: number;
    idle_queue_timeout_secs?: number;
    service_feature_level: number;
    service_version: string;
    service_merge_base: string;
    zulip_feature_level: number;
    zulip_version: string;
    zulip_merge_base: string;
};

export type Reminder = {
    reminder_id: number;
    type: 'private';
    /**
     * The user alone.
     */
    to: [
        number
    ];
    content: string;
    rendered_content: string;
    scheduled_delivery_timestamp: number;
    failed: boolean;
    reminder_target_message_id: number;
};

export type RemindersAddEvent = {
    id: number;
    type: 'reminders';
    op: 'add';
    reminders: Array<Reminder>;
};

export type RemindersRemoveEvent = {
    id: number;
    type: 'reminders';
    op: 'remove';
    reminder_id: number;
};

export type RestartEvent = {
    id: number;
    type: 'restart';
    service_feature_level: number;
    service_version: string;
    service_merge_base: string;
    zulip_feature_level: number;
    zulip_version: string;
    zulip_merge_base: string;
    server_generation: number;
};

export type SavedSnippet = {
    id: number;
    title: string;
    content: string;
    date_created: number;
};

export type SavedSnippetsAddEvent = {
    id: number;
    type: 'saved_snippets';
    op: 'add';
    saved_snippet: SavedSnippet;
};

export type SavedSnippetsRemoveEvent = {
    id: number;
    type: 'saved_snippets';
    op: 'remove';
    saved_snippet_id: number;
};

export type SavedSnippetsUpdateEvent = {
    id: number;
    type: 'saved_snippets';
    op: 'update';
    saved_snippet: SavedSnippet;
};

export type ScheduledMessage = {
    scheduled_message_id: number;
    content: string;
    rendered_content: string;
    scheduled_delivery_timestamp: number;
    failed: boolean;
    type: 'stream';
    to: number;
    topic: string;
} | {
    scheduled_message_id: number;
    content: string;
    rendered_content: string;
    scheduled_delivery_timestamp: number;
    failed: boolean;
    type: 'private';
    to: Array<number>;
};

export type ScheduledMessagesAddEvent = {
    id: number;
    type: 'scheduled_messages';
    op: 'add';
    scheduled_messages: Array<ScheduledMessage>;
};

export type ScheduledMessagesRemoveEvent = {
    id: number;
    type: 'scheduled_messages';
    op: 'remove';
    scheduled_message_id: number;
};

export type ScheduledMessagesUpdateEvent = {
    id: number;
    type: 'scheduled_messages';
    op: 'update';
    scheduled_message: ScheduledMessage;
};

export type SentMessage = ChannelSentMessage | DirectSentMessage;

export type ServerSettings = {
    service_feature_level: number;
    service_version: string;
    service_merge_base: string;
    zulip_feature_level: number;
    zulip_version: string;
    zulip_merge_base: string;
    authentication_methods: {
        [key: string]: boolean;
    };
    external_authentication_methods: Array<{
        name: string;
        display_name: string;
        display_icon: string | null;
        login_url: string;
        signup_url: string;
    }>;
    push_notifications_enabled: boolean;
    is_incompatible: boolean;
    email_auth_enabled: boolean;
    require_email_format_usernames: boolean;
    realm_url: string;
    realm_uri: string;
    realm_name: string;
    realm_icon: string;
    realm_description: string;
    realm_web_public_access_enabled: boolean;
};

export type Session = {
    signed_in: boolean;
    user_id: number | null;
    /**
     * For the header `X-CSRFToken` of requests that change something.
     */
    csrf_token: string;
    /**
     * Seconds since the epoch.
     */
    ends_at: number | null;
};

export type ShownUser = {
    user_id: number;
    /**
     * The real address; null for those who may not know it.
     */
    delivery_email: string | null;
    email: string;
    full_name: string;
    /**
     * ISO 8601.
     */
    date_joined: string;
    is_active: boolean;
    is_owner: boolean;
    is_admin: boolean;
    is_guest: boolean;
    is_bot: boolean;
    bot_type: number | null;
    bot_owner_id: number | null;
    /**
     * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
     */
    role: 100 | 200 | 300 | 400 | 600;
    /**
     * Null where the client computes it.
     */
    avatar_url: string | null;
    avatar_version: number;
    is_system_bot?: true;
    /**
     * Values by ID of the field. For people only.
     */
    profile_data?: {
        [key: string]: {
            value: string;
            rendered_value?: string;
        };
    };
    timezone?: string;
};

export type StreamCreateEvent = {
    id: number;
    type: 'stream';
    op: 'create';
    streams: Array<Channel>;
};

export type StreamDeleteEvent = {
    id: number;
    type: 'stream';
    op: 'delete';
    stream_ids: Array<number>;
    streams: Array<{
        stream_id: number;
    }>;
};

export type StreamUpdateEvent = {
    id: number;
    type: 'stream';
    op: 'update';
    stream_id: number;
    name: string;
    property: string;
    value: unknown;
    rendered_description?: string;
    history_public_to_subscribers?: boolean;
    is_web_public?: boolean;
};

export type Submessage = {
    msg_type: string;
    content: string;
    message_id: number;
    sender_id: number;
    id: number;
};

export type SubmessageEvent = {
    id: number;
    type: 'submessage';
    msg_type: string;
    content: string;
    message_id: number;
    sender_id: number;
    submessage_id: number;
};

export type Subscription = {
    stream_id: number;
    name: string;
    is_archived: boolean;
    /**
     * Markdown.
     */
    description: string;
    /**
     * HTML.
     */
    rendered_description: string;
    /**
     * Seconds since the epoch.
     */
    date_created: number;
    creator_id: number | null;
    invite_only: boolean;
    is_web_public: boolean;
    /**
     * The older form of can_send_message_group.
     */
    stream_post_policy: number;
    /**
     * The oldest form of can_send_message_group.
     */
    is_announcement_only: boolean;
    message_retention_days: number | null;
    history_public_to_subscribers: boolean;
    topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
    first_message_id: number | null;
    folder_id: number | null;
    is_recently_active: boolean;
    stream_weekly_traffic: number | null;
    subscriber_count: number;
    can_add_subscribers_group: GroupSetting;
    can_administer_channel_group: GroupSetting;
    can_create_topic_group: GroupSetting;
    can_delete_any_message_group: GroupSetting;
    can_delete_own_message_group: GroupSetting;
    can_move_messages_out_of_channel_group: GroupSetting;
    can_move_messages_within_channel_group: GroupSetting;
    can_remove_subscribers_group: GroupSetting;
    can_resolve_topics_group: GroupSetting;
    can_send_message_group: GroupSetting;
    can_subscribe_group: GroupSetting;
    color: string;
    is_muted: boolean;
    /**
     * The opposite of is_muted.
     */
    in_home_view: boolean;
    pin_to_top: boolean;
    desktop_notifications: boolean | null;
    audible_notifications: boolean | null;
    push_notifications: boolean | null;
    email_notifications: boolean | null;
    wildcard_mentions_notify: boolean | null;
    subscribers?: Array<number>;
    partial_subscribers?: Array<number>;
};

export type SubscriptionAddEvent = {
    id: number;
    type: 'subscription';
    op: 'add';
    subscriptions: Array<Subscription>;
};

export type SubscriptionPeerAddEvent = {
    id: number;
    type: 'subscription';
    op: 'peer_add';
    stream_ids: Array<number>;
    user_ids: Array<number>;
};

export type SubscriptionPeerRemoveEvent = {
    id: number;
    type: 'subscription';
    op: 'peer_remove';
    stream_ids: Array<number>;
    user_ids: Array<number>;
};

export type SubscriptionRemoveEvent = {
    id: number;
    type: 'subscription';
    op: 'remove';
    subscriptions: Array<{
        name: string;
        stream_id: number;
    }>;
};

export type SubscriptionUpdateEvent = {
    id: number;
    type: 'subscription';
    op: 'update';
    stream_id: number;
    property: string;
    value: unknown;
};

/**
 * Fields of every success.
 */
export type Success = {
    result: 'success';
    /**
     * Empty.
     */
    msg: string;
    /**
     * Names of parameters that the operation does not have, and that changed nothing.
     */
    ignored_parameters_unsupported?: Array<string>;
};

export type SupportedPermissionSetting = {
    require_system_group: boolean;
    allow_internet_group: boolean;
    allow_nobody_group: boolean;
    allow_everyone_group: boolean;
    default_group_name: string;
    default_for_system_groups: string | null;
    allowed_system_groups: Array<string>;
};

export type TopicLink = {
    text: string;
    url: string;
};

export type TypingEditMessageStartEvent = {
    id: number;
    type: 'typing_edit_message';
    op: 'start';
    sender_id: number;
    message_id: number;
    recipient: {
        type: 'channel';
        channel_id: number;
        topic: string;
    } | {
        type: 'direct';
        user_ids: Array<number>;
    };
};

export type TypingEditMessageStopEvent = {
    id: number;
    type: 'typing_edit_message';
    op: 'stop';
    sender_id: number;
    message_id: number;
    recipient: {
        type: 'channel';
        channel_id: number;
        topic: string;
    } | {
        type: 'direct';
        user_ids: Array<number>;
    };
};

export type TypingStartEvent = {
    id: number;
    type: 'typing';
    op: 'start';
    message_type: 'direct';
    sender: {
        user_id: number;
        email: string;
    };
    recipients: Array<{
        user_id: number;
        email: string;
    }>;
} | {
    id: number;
    type: 'typing';
    op: 'start';
    message_type: 'stream';
    sender: {
        user_id: number;
        email: string;
    };
    stream_id: number;
    topic: string;
};

export type TypingStopEvent = {
    id: number;
    type: 'typing';
    op: 'stop';
    message_type: 'direct';
    sender: {
        user_id: number;
        email: string;
    };
    recipients: Array<{
        user_id: number;
        email: string;
    }>;
} | {
    id: number;
    type: 'typing';
    op: 'stop';
    message_type: 'stream';
    sender: {
        user_id: number;
        email: string;
    };
    stream_id: number;
    topic: string;
};

export type UnreadMessages = {
    count: number;
    pms: Array<{
        other_user_id: number;
        sender_id: number;
        unread_message_ids: Array<number>;
    }>;
    streams: Array<{
        stream_id: number;
        topic: string;
        unread_message_ids: Array<number>;
    }>;
    huddles: Array<{
        user_ids_string: string;
        unread_message_ids: Array<number>;
    }>;
    mentions: Array<number>;
    old_unreads_missing: boolean;
};

export type UpdateDisplaySettingsEvent = {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'twenty_four_hour_time';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'starred_message_counts';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'emojiset';
    setting: 'google' | 'google-blob' | 'twitter' | 'text';
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'default_language';
    setting: string;
    language_name?: string;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'color_scheme';
    setting: 1 | 2 | 3;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'enter_sends';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'fluid_layout_width';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'high_contrast_mode';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'translate_emoticons';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'left_side_userlist';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'demote_inactive_streams';
    setting: 1 | 2 | 3;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'default_view';
    setting: 'inbox' | 'recent_topics' | 'all_messages';
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'enable_drafts_synchronization';
    setting: boolean;
} | {
    id: number;
    type: 'update_display_settings';
    user: string;
    setting_name: 'timezone';
    setting: string;
};

export type UpdateGlobalNotificationsEvent = {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'presence_enabled';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'pm_content_in_desktop_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_stream_desktop_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_stream_email_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_stream_push_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_stream_audible_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'wildcard_mentions_notify';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_desktop_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_sounds';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_offline_email_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_offline_push_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_online_push_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_digest_emails';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_login_emails';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'enable_marketing_emails';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'message_content_in_email_notifications';
    setting: boolean;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'notification_sound';
    setting: 'none' | 'ding' | 'zulip';
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'email_notifications_batching_period_seconds';
    setting: number;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'desktop_icon_count_display';
    setting: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'update_global_notifications';
    user: string;
    notification_name: 'realm_name_in_email_notifications_policy';
    setting: 1 | 2 | 3;
};

export type UpdateMessageEvent = {
    id: number;
    type: 'update_message';
    user_id: number | null;
    rendering_only: boolean;
    message_id: number;
    message_ids: Array<number>;
    flags: Array<MessageFlag>;
    edit_timestamp: number;
    stream_name?: string;
    stream_id?: number;
    orig_content?: string;
    orig_rendered_content?: string;
    content?: string;
    rendered_content?: string;
    is_me_message?: boolean;
    orig_subject?: string;
    subject?: string;
    topic_links?: Array<TopicLink>;
    new_stream_id?: number;
    propagate_mode?: 'change_one' | 'change_later' | 'change_all';
};

export type UpdateMessageFlagsAddEvent = {
    id: number;
    type: 'update_message_flags';
    op: 'add';
    operation: 'add';
    flag: MessageFlag;
    messages: Array<number>;
    all: boolean;
};

export type UpdateMessageFlagsRemoveEvent = {
    id: number;
    type: 'update_message_flags';
    op: 'remove';
    operation: 'remove';
    flag: MessageFlag;
    messages: Array<number>;
    all: boolean;
    message_details?: {
        [key: string]: {
            type: 'private';
            mentioned?: boolean;
            user_ids: Array<number>;
        } | {
            type: 'stream';
            mentioned?: boolean;
            stream_id: number;
            topic: string;
            unmuted_stream_msg: boolean;
        };
    };
};

export type User = {
    user_id: number;
    /**
     * The real address; null for those who may not know it.
     */
    delivery_email: string | null;
    email: string;
    full_name: string;
    /**
     * ISO 8601.
     */
    date_joined: string;
    is_active: boolean;
    is_owner: boolean;
    is_admin: boolean;
    is_guest: boolean;
    is_bot: boolean;
    bot_type: number | null;
    bot_owner_id: number | null;
    /**
     * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
     */
    role: 100 | 200 | 300 | 400 | 600;
    /**
     * Null where the client computes it.
     */
    avatar_url: string | null;
    avatar_version: number;
    is_system_bot?: true;
    /**
     * Values by ID of the field. For people only.
     */
    profile_data?: {
        [key: string]: {
            value: string;
            rendered_value?: string;
        };
    };
    timezone: string;
};

export type UserGroup = {
    id: number;
    name: string;
    description: string;
    date_created: number | null;
    creator_id: number | null;
    is_system_group: boolean;
    /**
     * Direct members.
     */
    members: Array<number>;
    direct_subgroup_ids: Array<number>;
    deactivated: boolean;
    can_add_members_group: GroupSetting;
    can_join_group: GroupSetting;
    can_leave_group: GroupSetting;
    can_manage_group: GroupSetting;
    can_mention_group: GroupSetting;
    can_remove_members_group: GroupSetting;
};

export type UserGroupAddEvent = {
    id: number;
    type: 'user_group';
    op: 'add';
    group: UserGroup;
};

export type UserGroupAddMembersEvent = {
    id: number;
    type: 'user_group';
    op: 'add_members';
    group_id: number;
    user_ids: Array<number>;
};

export type UserGroupAddSubgroupsEvent = {
    id: number;
    type: 'user_group';
    op: 'add_subgroups';
    group_id: number;
    direct_subgroup_ids: Array<number>;
};

export type UserGroupRemoveEvent = {
    id: number;
    type: 'user_group';
    op: 'remove';
    group_id: number;
};

export type UserGroupRemoveMembersEvent = {
    id: number;
    type: 'user_group';
    op: 'remove_members';
    group_id: number;
    user_ids: Array<number>;
};

export type UserGroupRemoveSubgroupsEvent = {
    id: number;
    type: 'user_group';
    op: 'remove_subgroups';
    group_id: number;
    direct_subgroup_ids: Array<number>;
};

export type UserGroupUpdateEvent = {
    id: number;
    type: 'user_group';
    op: 'update';
    group_id: number;
    data: {
        name?: string;
        description?: string;
        deactivated?: boolean;
        can_add_members_group?: GroupSetting;
        can_join_group?: GroupSetting;
        can_leave_group?: GroupSetting;
        can_manage_group?: GroupSetting;
        can_mention_group?: GroupSetting;
        can_remove_members_group?: GroupSetting;
    };
};

export type UserSettingDefaults = {
    twenty_four_hour_time: boolean;
    starred_message_counts: boolean;
    display_emoji_reaction_users: boolean;
    emojiset: 'google' | 'google-blob' | 'twitter' | 'text';
    presence_enabled: boolean;
    web_inbox_show_channel_folders: boolean;
    send_private_typing_notifications: boolean;
    send_stream_typing_notifications: boolean;
    receives_typing_notifications: boolean;
    pm_content_in_desktop_notifications: boolean;
    default_language: string;
    color_scheme: 1 | 2 | 3;
    enter_sends: boolean;
    fluid_layout_width: boolean;
    high_contrast_mode: boolean;
    translate_emoticons: boolean;
    left_side_userlist: boolean;
    user_list_style: 1 | 2 | 3;
    demote_inactive_streams: 1 | 2 | 3;
    hide_ai_features: boolean;
    web_home_view: 'inbox' | 'recent_topics' | 'all_messages';
    web_escape_navigates_to_home_view: boolean;
    web_font_size_px: number;
    web_line_height_percent: number;
    web_mark_read_on_scroll_policy: 1 | 2 | 3;
    web_channel_default_view: 1 | 2 | 3 | 4;
    web_stream_unreads_count_display_policy: 1 | 2 | 3;
    web_animate_image_previews: 'always' | 'on_hover' | 'never';
    web_navigate_to_sent_message: boolean;
    web_suggest_update_timezone: boolean;
    web_left_sidebar_unreads_count_summary: boolean;
    web_left_sidebar_show_channel_folders: boolean;
    enable_stream_desktop_notifications: boolean;
    enable_stream_email_notifications: boolean;
    enable_stream_push_notifications: boolean;
    enable_stream_audible_notifications: boolean;
    wildcard_mentions_notify: boolean;
    enable_followed_topic_desktop_notifications: boolean;
    enable_followed_topic_email_notifications: boolean;
    enable_followed_topic_push_notifications: boolean;
    enable_followed_topic_audible_notifications: boolean;
    enable_followed_topic_wildcard_mentions_notify: boolean;
    enable_desktop_notifications: boolean;
    enable_sounds: boolean;
    enable_offline_email_notifications: boolean;
    enable_offline_push_notifications: boolean;
    enable_online_push_notifications: boolean;
    enable_digest_emails: boolean;
    enable_login_emails: boolean;
    enable_marketing_emails: boolean;
    message_content_in_email_notifications: boolean;
    notification_sound: 'none' | 'ding' | 'zulip';
    email_notifications_batching_period_seconds: number;
    desktop_icon_count_display: 1 | 2 | 3 | 4;
    realm_name_in_email_notifications_policy: 1 | 2 | 3;
    automatically_follow_topics_policy: 1 | 2 | 3 | 4;
    automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
    automatically_follow_topics_where_mentioned: boolean;
    resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
    send_read_receipts: boolean;
    allow_private_data_export: boolean;
    enable_drafts_synchronization: boolean;
    email_address_visibility: number;
    emojiset_choices: Array<{
        key: string;
        text: string;
    }>;
    available_notification_sounds: Array<string>;
};

export type UserSettings = {
    twenty_four_hour_time: boolean;
    starred_message_counts: boolean;
    display_emoji_reaction_users: boolean;
    emojiset: 'google' | 'google-blob' | 'twitter' | 'text';
    presence_enabled: boolean;
    web_inbox_show_channel_folders: boolean;
    send_private_typing_notifications: boolean;
    send_stream_typing_notifications: boolean;
    receives_typing_notifications: boolean;
    pm_content_in_desktop_notifications: boolean;
    default_language: string;
    timezone: string;
    color_scheme: 1 | 2 | 3;
    enter_sends: boolean;
    fluid_layout_width: boolean;
    high_contrast_mode: boolean;
    translate_emoticons: boolean;
    left_side_userlist: boolean;
    user_list_style: 1 | 2 | 3;
    demote_inactive_streams: 1 | 2 | 3;
    hide_ai_features: boolean;
    web_home_view: 'inbox' | 'recent_topics' | 'all_messages';
    web_escape_navigates_to_home_view: boolean;
    web_font_size_px: number;
    web_line_height_percent: number;
    web_mark_read_on_scroll_policy: 1 | 2 | 3;
    web_channel_default_view: 1 | 2 | 3 | 4;
    web_stream_unreads_count_display_policy: 1 | 2 | 3;
    web_animate_image_previews: 'always' | 'on_hover' | 'never';
    web_navigate_to_sent_message: boolean;
    web_suggest_update_timezone: boolean;
    web_left_sidebar_unreads_count_summary: boolean;
    web_left_sidebar_show_channel_folders: boolean;
    enable_stream_desktop_notifications: boolean;
    enable_stream_email_notifications: boolean;
    enable_stream_push_notifications: boolean;
    enable_stream_audible_notifications: boolean;
    wildcard_mentions_notify: boolean;
    enable_followed_topic_desktop_notifications: boolean;
    enable_followed_topic_email_notifications: boolean;
    enable_followed_topic_push_notifications: boolean;
    enable_followed_topic_audible_notifications: boolean;
    enable_followed_topic_wildcard_mentions_notify: boolean;
    enable_desktop_notifications: boolean;
    enable_sounds: boolean;
    enable_offline_email_notifications: boolean;
    enable_offline_push_notifications: boolean;
    enable_online_push_notifications: boolean;
    enable_digest_emails: boolean;
    enable_login_emails: boolean;
    enable_marketing_emails: boolean;
    message_content_in_email_notifications: boolean;
    notification_sound: 'none' | 'ding' | 'zulip';
    email_notifications_batching_period_seconds: number;
    desktop_icon_count_display: 1 | 2 | 3 | 4;
    realm_name_in_email_notifications_policy: 1 | 2 | 3;
    automatically_follow_topics_policy: 1 | 2 | 3 | 4;
    automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4;
    automatically_follow_topics_where_mentioned: boolean;
    resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never';
    send_read_receipts: boolean;
    allow_private_data_export: boolean;
    enable_drafts_synchronization: boolean;
    email_address_visibility: 1 | 2 | 3 | 4 | 5;
    emojiset_choices: Array<{
        key: string;
        text: string;
    }>;
    available_notification_sounds: Array<string>;
};

export type UserSettingsUpdateEvent = {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'twenty_four_hour_time';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'starred_message_counts';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'display_emoji_reaction_users';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'emojiset';
    value: 'google' | 'google-blob' | 'twitter' | 'text';
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'presence_enabled';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_inbox_show_channel_folders';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'send_private_typing_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'send_stream_typing_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'receives_typing_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'pm_content_in_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'default_language';
    value: string;
    language_name?: string;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'timezone';
    value: string;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'color_scheme';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enter_sends';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'fluid_layout_width';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'high_contrast_mode';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'translate_emoticons';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'left_side_userlist';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'user_list_style';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'demote_inactive_streams';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'hide_ai_features';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_home_view';
    value: 'inbox' | 'recent_topics' | 'all_messages';
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_escape_navigates_to_home_view';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_font_size_px';
    value: number;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_line_height_percent';
    value: number;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_mark_read_on_scroll_policy';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_channel_default_view';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_stream_unreads_count_display_policy';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_animate_image_previews';
    value: 'always' | 'on_hover' | 'never';
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_navigate_to_sent_message';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_suggest_update_timezone';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_left_sidebar_unreads_count_summary';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'web_left_sidebar_show_channel_folders';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_stream_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_stream_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_stream_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_stream_audible_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'wildcard_mentions_notify';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_followed_topic_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_followed_topic_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_followed_topic_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_followed_topic_audible_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_followed_topic_wildcard_mentions_notify';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_desktop_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_sounds';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_offline_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_offline_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_online_push_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_digest_emails';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_login_emails';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_marketing_emails';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'message_content_in_email_notifications';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'notification_sound';
    value: 'none' | 'ding' | 'zulip';
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'email_notifications_batching_period_seconds';
    value: number;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'desktop_icon_count_display';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'realm_name_in_email_notifications_policy';
    value: 1 | 2 | 3;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'automatically_follow_topics_policy';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'automatically_unmute_topics_in_muted_streams_policy';
    value: 1 | 2 | 3 | 4;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'automatically_follow_topics_where_mentioned';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'resolved_topic_notice_auto_read_policy';
    value: 'always' | 'except_followed' | 'never';
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'send_read_receipts';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'allow_private_data_export';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'enable_drafts_synchronization';
    value: boolean;
} | {
    id: number;
    type: 'user_settings';
    op: 'update';
    property: 'email_address_visibility';
    value: 1 | 2 | 3 | 4 | 5;
};

export type UserStatus = {
    away?: true;
    status_text?: string;
    emoji_name?: string;
    emoji_code?: string;
    reaction_type?: EmojiType;
};

export type UserStatusEvent = {
    id: number;
    type: 'user_status';
    user_id: number;
    away?: boolean;
    status_text?: string;
    emoji_name?: string;
    emoji_code?: string;
    reaction_type?: EmojiType;
};

export type UserTopic = {
    stream_id: number;
    topic_name: string;
    last_updated: number;
    /**
     * 0 none, 1 muted, 2 unmuted, 3 followed.
     */
    visibility_policy: 0 | 1 | 2 | 3;
};

export type UserTopicEvent = {
    id: number;
    type: 'user_topic';
    stream_id: number;
    topic_name: string;
    last_updated: number;
    visibility_policy: 0 | 1 | 2 | 3;
};

export type GetOperatorDoctorData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Clock of the machine that asks, in UNIX seconds.
         */
        now?: number;
    };
    url: '/api/v1/operator/doctor';
};

export type GetOperatorDoctorErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorDoctorError = GetOperatorDoctorErrors[keyof GetOperatorDoctorErrors];

export type GetOperatorDoctorResponses = {
    /**
     * Success
     */
    200: Success & {
        checks: Array<{
            name: string;
            state: string;
            text: string;
        }>;
    };
};

export type GetOperatorDoctorResponse = GetOperatorDoctorResponses[keyof GetOperatorDoctorResponses];

export type GetServerHealthLiveData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/live';
};

export type GetServerHealthLiveErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerHealthLiveError = GetServerHealthLiveErrors[keyof GetServerHealthLiveErrors];

export type GetServerHealthLiveResponses = {
    /**
     * Success
     */
    200: Success & {
        status: 'live';
    };
};

export type GetServerHealthLiveResponse = GetServerHealthLiveResponses[keyof GetServerHealthLiveResponses];

export type GetServerHealthReadyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/ready';
};

export type GetServerHealthReadyErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerHealthReadyError = GetServerHealthReadyErrors[keyof GetServerHealthReadyErrors];

export type GetServerHealthReadyResponses = {
    /**
     * Success
     */
    200: Success & {
        status: 'ready';
    };
};

export type GetServerHealthReadyResponse = GetServerHealthReadyResponses[keyof GetServerHealthReadyResponses];

export type GetOperatorProjectionsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/operator/projections';
};

export type GetOperatorProjectionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorProjectionsError = GetOperatorProjectionsErrors[keyof GetOperatorProjectionsErrors];

export type GetOperatorProjectionsResponses = {
    /**
     * Success
     */
    200: Success & {
        [key: string]: unknown;
    };
};

export type GetOperatorProjectionsResponse = GetOperatorProjectionsResponses[keyof GetOperatorProjectionsResponses];

export type PostOperatorProjectionsByNameRebuildData = {
    body?: never;
    path: {
        /**
         * Its name.
         */
        name: string;
    };
    query?: never;
    url: '/api/v1/operator/projections/{name}/rebuild';
};

export type PostOperatorProjectionsByNameRebuildErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorProjectionsByNameRebuildError = PostOperatorProjectionsByNameRebuildErrors[keyof PostOperatorProjectionsByNameRebuildErrors];

export type PostOperatorProjectionsByNameRebuildResponses = {
    /**
     * Success
     */
    200: Success & {
        [key: string]: unknown;
    };
};

export type PostOperatorProjectionsByNameRebuildResponse = PostOperatorProjectionsByNameRebuildResponses[keyof PostOperatorProjectionsByNameRebuildResponses];

export type PostOperatorRebuildsData = {
    body?: {
        /**
         * Names of projections, separated by commas; without it, all of them.
         */
        names?: string;
        /**
         * Only say what would be rebuilt.
         */
        dry_run?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/operator/rebuilds';
};

export type PostOperatorRebuildsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorRebuildsError = PostOperatorRebuildsErrors[keyof PostOperatorRebuildsErrors];

export type PostOperatorRebuildsResponses = {
    /**
     * Success
     */
    200: Success & {
        [key: string]: unknown;
    };
};

export type PostOperatorRebuildsResponse = PostOperatorRebuildsResponses[keyof PostOperatorRebuildsResponses];

export type PostOperatorRebuildsCancelData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/operator/rebuilds/cancel';
};

export type PostOperatorRebuildsCancelErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorRebuildsCancelError = PostOperatorRebuildsCancelErrors[keyof PostOperatorRebuildsCancelErrors];

export type PostOperatorRebuildsCancelResponses = {
    /**
     * Success
     */
    200: Success & {
        [key: string]: unknown;
    };
};

export type PostOperatorRebuildsCancelResponse = PostOperatorRebuildsCancelResponses[keyof PostOperatorRebuildsCancelResponses];

export type DeleteEventsData = {
    body: {
        /**
         * ID of the event queue.
         */
        queue_id: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/events';
};

export type DeleteEventsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteEventsError = DeleteEventsErrors[keyof DeleteEventsErrors];

export type DeleteEventsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteEventsResponse = DeleteEventsResponses[keyof DeleteEventsResponses];

export type GetEventsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Content as HTML; as Markdown with `false`.
         */
        apply_markdown?: boolean;
        /**
         * `true` unless the caller is anonymous. Also as `client_gravatar`.
         */
        client_extavatar?: boolean;
        /**
         * Presence without e-mail addresses.
         */
        slim_presence?: boolean;
        /**
         * Whether channels list their subscribers: `true`, `false`, or `partial` for those of large channels who are active.
         */
        include_subscribers?: 'true' | 'false' | 'partial';
        /**
         * False when absent; a bot's own setting for bots.
         */
        all_public_streams?: boolean;
        /**
         * Types of client events that the queue gets; all by default.
         */
        event_types?: Array<string>;
        /**
         * What the client understands, by name; without them it gets older forms.
         */
        client_capabilities?: {
            [key: string]: unknown;
        };
        /**
         * Terms that messages have to match.
         */
        narrow?: Array<[
            string,
            string | number
        ] | {
            operator: string;
            operand: string | number;
            negated?: boolean;
        }>;
        /**
         * Seconds; at most 604800 count.
         */
        queue_lifespan_secs?: number;
        /**
         * The client knows profile fields for pronouns.
         */
        pronouns_field_type_supported?: boolean;
        /**
         * Without it, a queue is registered by the other parameters.
         */
        queue_id?: string;
        /**
         * The highest event ID received; -1 for none. Less than was acknowledged before is answered with BAD_EVENT_QUEUE_ID: the client has lost its place and registers again.
         */
        last_event_id?: number;
        /**
         * Answer at once, also without events.
         */
        dont_block?: boolean;
    };
    url: '/api/v1/events';
};

export type GetEventsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetEventsError = GetEventsErrors[keyof GetEventsErrors];

export type GetEventsResponses = {
    /**
     * Success
     */
    200: Success & {
        events: Array<Event>;
        queue_id: string;
    };
};

export type GetEventsResponse = GetEventsResponses[keyof GetEventsResponses];

export type GetServerStaticEmojiJsonData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/static/emoji.json';
};

export type GetServerStaticEmojiJsonErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerStaticEmojiJsonError = GetServerStaticEmojiJsonErrors[keyof GetServerStaticEmojiJsonErrors];

export type GetServerStaticEmojiJsonResponses = {
    /**
     * Success
     */
    200: {
        code_to_names: {
            [key: string]: Array<string>;
        };
    };
};

export type GetServerStaticEmojiJsonResponse = GetServerStaticEmojiJsonResponses[keyof GetServerStaticEmojiJsonResponses];

export type GetServerStaticIconSvgData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/static/icon.svg';
};

export type GetServerStaticIconSvgErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerStaticIconSvgError = GetServerStaticIconSvgErrors[keyof GetServerStaticIconSvgErrors];

export type GetServerStaticIconSvgResponses = {
    /**
     * The content
     */
    200: Blob | File;
};

export type GetServerStaticIconSvgResponse = GetServerStaticIconSvgResponses[keyof GetServerStaticIconSvgResponses];

export type GetServerStaticGeneratedEmojiImagesEmojiUnicodeZulipPngData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/static/generated/emoji/images/emoji/unicode/zulip.png';
};

export type GetServerStaticGeneratedEmojiImagesEmojiUnicodeZulipPngErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerStaticGeneratedEmojiImagesEmojiUnicodeZulipPngError = GetServerStaticGeneratedEmojiImagesEmojiUnicodeZulipPngErrors[keyof GetServerStaticGeneratedEmojiImagesEmojiUnicodeZulipPngErrors];

export type GetServerStaticGeneratedEmojiImagesEmojiUnicodeZulipPngResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetServerStaticVideoPngData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/static/video.png';
};

export type GetServerStaticVideoPngErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerStaticVideoPngError = GetServerStaticVideoPngErrors[keyof GetServerStaticVideoPngErrors];

export type GetServerStaticVideoPngResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type PostRegisterData = {
    body?: {
        /**
         * Content as HTML; as Markdown with `false`.
         */
        apply_markdown?: boolean;
        /**
         * `true` unless the caller is anonymous. Also as `client_gravatar`.
         */
        client_extavatar?: boolean;
        /**
         * Presence without e-mail addresses.
         */
        slim_presence?: boolean;
        /**
         * Whether channels list their subscribers: `true`, `false`, or `partial` for those of large channels who are active.
         */
        include_subscribers?: 'true' | 'false' | 'partial';
        /**
         * False when absent; a bot's own setting for bots.
         */
        all_public_streams?: boolean;
        /**
         * Types of client events that the queue gets; all by default.
         */
        event_types?: Array<string>;
        /**
         * What the client understands, by name; without them it gets older forms.
         */
        client_capabilities?: {
            [key: string]: unknown;
        };
        /**
         * Terms that messages have to match.
         */
        narrow?: Array<[
            string,
            string | number
        ] | {
            operator: string;
            operand: string | number;
            negated?: boolean;
        }>;
        /**
         * Seconds; at most 604800 count.
         */
        queue_lifespan_secs?: number;
        /**
         * The client knows profile fields for pronouns.
         */
        pronouns_field_type_supported?: boolean;
        /**
         * What to fetch; `event_types` when absent. Unknown names are ignored.
         */
        fetch_event_types?: Array<string>;
        /**
         * Presence of people seen in so many days.
         */
        presence_history_limit_days?: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/register';
};

export type PostRegisterErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRegisterError = PostRegisterErrors[keyof PostRegisterErrors];

export type PostRegisterResponses = {
    /**
     * Success
     */
    200: Success & RegisterState;
};

export type PostRegisterResponse = PostRegisterResponses[keyof PostRegisterResponses];

export type GetMessagesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The client knows the empty topic.
         */
        allow_empty_topic_name?: boolean;
        /**
         * HTML, or else the Markdown source.
         */
        apply_markdown?: boolean;
        /**
         * The client computes avatar addresses itself. Also as `client_extavatar`.
         */
        client_gravatar?: boolean;
        /**
         * A message ID, `newest`, `oldest` or `first_unread`.
         */
        anchor?: string;
        /**
         * The older spelling of the anchor `first_unread`.
         */
        use_first_unread_anchor?: boolean;
        /**
         * Whether the anchor itself is among the messages.
         */
        include_anchor?: boolean;
        /**
         * How many messages before the anchor.
         */
        num_before?: number;
        /**
         * How many messages after the anchor.
         */
        num_after?: number;
        /**
         * These messages instead of a window around an anchor.
         */
        message_ids?: Array<number>;
        /**
         * Terms, all of which must hold. `negated` turns one around, but for `near`, `with` and `in`: it does nothing to them.
         */
        narrow?: Array<{
            operator: string;
            operand: string | number | Array<string | number>;
            negated?: boolean;
        } | [
            string,
            string | number | Array<string | number>
        ]>;
    };
    url: '/api/v1/messages';
};

export type GetMessagesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetMessagesError = GetMessagesErrors[keyof GetMessagesErrors];

export type GetMessagesResponses = {
    /**
     * Success
     */
    200: Success & {
        messages: Array<Message>;
        /**
         * ID of the anchor; 10000000000000000 for the newest message.
         */
        anchor: number;
        found_anchor: boolean;
        found_oldest: boolean;
        found_newest: boolean;
        history_limited: false;
    };
};

export type GetMessagesResponse = GetMessagesResponses[keyof GetMessagesResponses];

export type PostMessagesData = {
    body: {
        /**
         * Kind of recipients: a channel and topic, or people.
         */
        type: 'direct' | 'channel' | 'stream' | 'private';
        /**
         * A channel by name or ID, or users by e-mail addresses or IDs.
         */
        to: number | string | Array<number | string> | string;
        /**
         * Markdown. What is longer than max_message_length is cut off.
         */
        content: string;
        /**
         * Of a channel message. Also as `subject`.
         */
        topic?: string;
        /**
         * Queue of a client that does local echo.
         */
        queue_id?: string;
        /**
         * Comes back in the event in that queue.
         */
        local_id?: string;
        /**
         * The sender has read the message.
         */
        read_by_sender?: boolean;
    };
    headers?: {
        /**
         * However often the same request comes with the same key, one message is sent, and its ID is the answer.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/messages';
};

export type PostMessagesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesError = PostMessagesErrors[keyof PostMessagesErrors];

export type PostMessagesResponses = {
    /**
     * Success
     */
    200: Success & {
        id: number;
        /**
         * The policy that the caller now has for the topic, where sending changed it.
         */
        automatic_new_visibility_policy?: number;
    };
};

export type PostMessagesResponse = PostMessagesResponses[keyof PostMessagesResponses];

export type DeleteMessagesByMessageIdData = {
    body?: never;
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}';
};

export type DeleteMessagesByMessageIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteMessagesByMessageIdError = DeleteMessagesByMessageIdErrors[keyof DeleteMessagesByMessageIdErrors];

export type DeleteMessagesByMessageIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteMessagesByMessageIdResponse = DeleteMessagesByMessageIdResponses[keyof DeleteMessagesByMessageIdResponses];

export type GetMessagesByMessageIdData = {
    body?: never;
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: {
        /**
         * The client knows the empty topic.
         */
        allow_empty_topic_name?: boolean;
        /**
         * HTML, or else the Markdown source.
         */
        apply_markdown?: boolean;
        /**
         * The client computes avatar addresses itself. Also as `client_extavatar`.
         */
        client_gravatar?: boolean;
    };
    url: '/api/v1/messages/{message_id}';
};

export type GetMessagesByMessageIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetMessagesByMessageIdError = GetMessagesByMessageIdErrors[keyof GetMessagesByMessageIdErrors];

export type GetMessagesByMessageIdResponses = {
    /**
     * Success
     */
    200: Success & {
        message: Message;
        raw_content: string;
    };
};

export type GetMessagesByMessageIdResponse = GetMessagesByMessageIdResponses[keyof GetMessagesByMessageIdResponses];

export type PatchMessagesByMessageIdData = {
    body?: {
        /**
         * Markdown.
         */
        content?: string;
        /**
         * SHA-256 of the content as the client knows it, hexadecimal.
         */
        prev_content_sha256?: string;
        /**
         * Also as `subject`.
         */
        topic?: string;
        /**
         * Channel to move to.
         */
        stream_id?: number;
        /**
         * Which messages of the topic move along.
         */
        propagate_mode?: 'change_one' | 'change_later' | 'change_all';
        /**
         * Post a notice where the messages were.
         */
        send_notification_to_old_thread?: boolean;
        /**
         * Post a notice where the messages go.
         */
        send_notification_to_new_thread?: boolean;
    };
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}';
};

export type PatchMessagesByMessageIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchMessagesByMessageIdError = PatchMessagesByMessageIdErrors[keyof PatchMessagesByMessageIdErrors];

export type PatchMessagesByMessageIdResponses = {
    /**
     * Success
     */
    200: Success & {
        detached_uploads: Array<Attachment>;
    };
};

export type PatchMessagesByMessageIdResponse = PatchMessagesByMessageIdResponses[keyof PatchMessagesByMessageIdResponses];

export type DeleteMessagesByMessageIdReactionsData = {
    body?: {
        /**
         * Name of the emoji.
         */
        emoji_name?: string;
        /**
         * Code of the emoji; follows from its name where it is absent.
         */
        emoji_code?: string;
        /**
         * Type of the emoji; follows from its name where it is absent.
         */
        reaction_type?: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji' | 'service_extra_emoji';
    };
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}/reactions';
};

export type DeleteMessagesByMessageIdReactionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteMessagesByMessageIdReactionsError = DeleteMessagesByMessageIdReactionsErrors[keyof DeleteMessagesByMessageIdReactionsErrors];

export type DeleteMessagesByMessageIdReactionsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteMessagesByMessageIdReactionsResponse = DeleteMessagesByMessageIdReactionsResponses[keyof DeleteMessagesByMessageIdReactionsResponses];

export type PostMessagesByMessageIdReactionsData = {
    body: {
        /**
         * Code of the emoji; follows from its name where it is absent.
         */
        emoji_code?: string;
        /**
         * Type of the emoji; follows from its name where it is absent.
         */
        reaction_type?: 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji' | 'service_extra_emoji';
        /**
         * Name of the emoji.
         */
        emoji_name: string;
    };
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}/reactions';
};

export type PostMessagesByMessageIdReactionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesByMessageIdReactionsError = PostMessagesByMessageIdReactionsErrors[keyof PostMessagesByMessageIdReactionsErrors];

export type PostMessagesByMessageIdReactionsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMessagesByMessageIdReactionsResponse = PostMessagesByMessageIdReactionsResponses[keyof PostMessagesByMessageIdReactionsResponses];

export type PostStreamsByStreamIdDeleteTopicData = {
    body: {
        /**
         * The topic.
         */
        topic_name: string;
    };
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: never;
    url: '/api/v1/streams/{stream_id}/delete_topic';
};

export type PostStreamsByStreamIdDeleteTopicErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostStreamsByStreamIdDeleteTopicError = PostStreamsByStreamIdDeleteTopicErrors[keyof PostStreamsByStreamIdDeleteTopicErrors];

export type PostStreamsByStreamIdDeleteTopicResponses = {
    /**
     * Success
     */
    200: Success & {
        complete: boolean;
    };
};

export type PostStreamsByStreamIdDeleteTopicResponse = PostStreamsByStreamIdDeleteTopicResponses[keyof PostStreamsByStreamIdDeleteTopicResponses];

export type PostMessagesByMessageIdReportData = {
    body: {
        /**
         * A key of `server_report_message_types`.
         */
        report_type: string;
        /**
         * Required when the type is `other`.
         */
        description?: string;
    };
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}/report';
};

export type PostMessagesByMessageIdReportErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesByMessageIdReportError = PostMessagesByMessageIdReportErrors[keyof PostMessagesByMessageIdReportErrors];

export type PostMessagesByMessageIdReportResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMessagesByMessageIdReportResponse = PostMessagesByMessageIdReportResponses[keyof PostMessagesByMessageIdReportResponses];

export type PostSubmessageData = {
    body: {
        /**
         * ID of the message.
         */
        message_id: number;
        /**
         * `widget`.
         */
        msg_type: string;
        /**
         * JSON.
         */
        content: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/submessage';
};

export type PostSubmessageErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostSubmessageError = PostSubmessageErrors[keyof PostSubmessageErrors];

export type PostSubmessageResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostSubmessageResponse = PostSubmessageResponses[keyof PostSubmessageResponses];

export type PostTypingData = {
    body: {
        /**
         * What to do.
         */
        op: 'start' | 'stop';
        /**
         * Kind of recipients: a channel and topic, or people.
         */
        type?: 'direct' | 'channel' | 'stream' | 'private';
        /**
         * IDs of the users of a direct conversation. Older clients give the channel here.
         */
        to?: number | string | Array<number | string> | string;
        /**
         * The channel.
         */
        stream_id?: number;
        /**
         * Of a channel message. Also as `subject`.
         */
        topic?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/typing';
};

export type PostTypingErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostTypingError = PostTypingErrors[keyof PostTypingErrors];

export type PostTypingResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostTypingResponse = PostTypingResponses[keyof PostTypingResponses];

export type PostMessagesByMessageIdTypingData = {
    body: {
        /**
         * What to do.
         */
        op: 'start' | 'stop';
    };
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}/typing';
};

export type PostMessagesByMessageIdTypingErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesByMessageIdTypingError = PostMessagesByMessageIdTypingErrors[keyof PostMessagesByMessageIdTypingErrors];

export type PostMessagesByMessageIdTypingResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMessagesByMessageIdTypingResponse = PostMessagesByMessageIdTypingResponses[keyof PostMessagesByMessageIdTypingResponses];

export type PostMessagesFlagsData = {
    body: {
        /**
         * IDs of messages.
         */
        messages: Array<number>;
        /**
         * What to do.
         */
        op: 'add' | 'remove';
        /**
         * `read`, `starred` or `collapsed`.
         */
        flag: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/messages/flags';
};

export type PostMessagesFlagsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesFlagsError = PostMessagesFlagsErrors[keyof PostMessagesFlagsErrors];

export type PostMessagesFlagsResponses = {
    /**
     * Success
     */
    200: Success & {
        messages: Array<number>;
        ignored_because_not_subscribed_channels?: Array<number>;
    };
};

export type PostMessagesFlagsResponse = PostMessagesFlagsResponses[keyof PostMessagesFlagsResponses];

export type PostMessagesFlagsNarrowData = {
    body: {
        /**
         * A message ID, `newest`, `oldest` or `first_unread`.
         */
        anchor: string;
        /**
         * Whether the anchor itself is among the messages.
         */
        include_anchor?: boolean;
        /**
         * How many messages before the anchor.
         */
        num_before: number;
        /**
         * How many messages after the anchor.
         */
        num_after: number;
        /**
         * Terms that messages have to match.
         */
        narrow: Array<{
            operator: string;
            operand: string | number | Array<string | number>;
            negated?: boolean;
        } | [
            string,
            string | number | Array<string | number>
        ]>;
        /**
         * What to do.
         */
        op: 'add' | 'remove';
        /**
         * `read`, `starred` or `collapsed`.
         */
        flag: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/messages/flags/narrow';
};

export type PostMessagesFlagsNarrowErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesFlagsNarrowError = PostMessagesFlagsNarrowErrors[keyof PostMessagesFlagsNarrowErrors];

export type PostMessagesFlagsNarrowResponses = {
    /**
     * Success
     */
    200: Success & {
        processed_count: number;
        updated_count: number;
        first_processed_id: number | null;
        last_processed_id: number | null;
        found_oldest: boolean;
        found_newest: boolean;
        ignored_because_not_subscribed_channels?: Array<number>;
    };
};

export type PostMessagesFlagsNarrowResponse = PostMessagesFlagsNarrowResponses[keyof PostMessagesFlagsNarrowResponses];

export type PostMarkAllAsReadData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/mark_all_as_read';
};

export type PostMarkAllAsReadErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMarkAllAsReadError = PostMarkAllAsReadErrors[keyof PostMarkAllAsReadErrors];

export type PostMarkAllAsReadResponses = {
    /**
     * Success
     */
    200: Success & {
        complete: true;
    };
};

export type PostMarkAllAsReadResponse = PostMarkAllAsReadResponses[keyof PostMarkAllAsReadResponses];

export type PostMarkStreamAsReadData = {
    body: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/mark_stream_as_read';
};

export type PostMarkStreamAsReadErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMarkStreamAsReadError = PostMarkStreamAsReadErrors[keyof PostMarkStreamAsReadErrors];

export type PostMarkStreamAsReadResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMarkStreamAsReadResponse = PostMarkStreamAsReadResponses[keyof PostMarkStreamAsReadResponses];

export type PostMarkTopicAsReadData = {
    body: {
        /**
         * ID of the channel.
         */
        stream_id: number;
        /**
         * The topic.
         */
        topic_name: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/mark_topic_as_read';
};

export type PostMarkTopicAsReadErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMarkTopicAsReadError = PostMarkTopicAsReadErrors[keyof PostMarkTopicAsReadErrors];

export type PostMarkTopicAsReadResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMarkTopicAsReadResponse = PostMarkTopicAsReadResponses[keyof PostMarkTopicAsReadResponses];

export type GetMessagesMatchesNarrowData = {
    body?: never;
    path?: never;
    query: {
        /**
         * IDs of messages.
         */
        msg_ids: Array<number>;
        /**
         * Terms that messages have to match.
         */
        narrow: Array<{
            operator: string;
            operand: string | number | Array<string | number>;
            negated?: boolean;
        } | [
            string,
            string | number | Array<string | number>
        ]>;
    };
    url: '/api/v1/messages/matches_narrow';
};

export type GetMessagesMatchesNarrowErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetMessagesMatchesNarrowError = GetMessagesMatchesNarrowErrors[keyof GetMessagesMatchesNarrowErrors];

export type GetMessagesMatchesNarrowResponses = {
    /**
     * Success
     */
    200: Success & {
        messages: {
            [key: string]: {
                match_content: string;
                match_subject: string;
            };
        };
    };
};

export type GetMessagesMatchesNarrowResponse = GetMessagesMatchesNarrowResponses[keyof GetMessagesMatchesNarrowResponses];

export type GetMessagesByMessageIdHistoryData = {
    body?: never;
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: {
        /**
         * The client knows the empty topic.
         */
        allow_empty_topic_name?: boolean;
    };
    url: '/api/v1/messages/{message_id}/history';
};

export type GetMessagesByMessageIdHistoryErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetMessagesByMessageIdHistoryError = GetMessagesByMessageIdHistoryErrors[keyof GetMessagesByMessageIdHistoryErrors];

export type GetMessagesByMessageIdHistoryResponses = {
    /**
     * Success
     */
    200: Success & {
        message_history: Array<MessageHistoryEntry>;
    };
};

export type GetMessagesByMessageIdHistoryResponse = GetMessagesByMessageIdHistoryResponses[keyof GetMessagesByMessageIdHistoryResponses];

export type GetMessagesByMessageIdReadReceiptsData = {
    body?: never;
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query?: never;
    url: '/api/v1/messages/{message_id}/read_receipts';
};

export type GetMessagesByMessageIdReadReceiptsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetMessagesByMessageIdReadReceiptsError = GetMessagesByMessageIdReadReceiptsErrors[keyof GetMessagesByMessageIdReadReceiptsErrors];

export type GetMessagesByMessageIdReadReceiptsResponses = {
    /**
     * Success
     */
    200: Success & {
        user_ids: Array<number>;
    };
};

export type GetMessagesByMessageIdReadReceiptsResponse = GetMessagesByMessageIdReadReceiptsResponses[keyof GetMessagesByMessageIdReadReceiptsResponses];

export type PostMessagesRenderData = {
    body: {
        /**
         * Markdown.
         */
        content: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/messages/render';
};

export type PostMessagesRenderErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMessagesRenderError = PostMessagesRenderErrors[keyof PostMessagesRenderErrors];

export type PostMessagesRenderResponses = {
    /**
     * Success
     */
    200: Success & {
        rendered: string;
    };
};

export type PostMessagesRenderResponse = PostMessagesRenderResponses[keyof PostMessagesRenderResponses];

export type GetUsersMeByStreamIdTopicsData = {
    body?: never;
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: {
        /**
         * The client knows the empty topic.
         */
        allow_empty_topic_name?: boolean;
    };
    url: '/api/v1/users/me/{stream_id}/topics';
};

export type GetUsersMeByStreamIdTopicsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersMeByStreamIdTopicsError = GetUsersMeByStreamIdTopicsErrors[keyof GetUsersMeByStreamIdTopicsErrors];

export type GetUsersMeByStreamIdTopicsResponses = {
    /**
     * Success
     */
    200: Success & {
        topics: Array<{
            name: string;
            max_id: number;
        }>;
    };
};

export type GetUsersMeByStreamIdTopicsResponse = GetUsersMeByStreamIdTopicsResponses[keyof GetUsersMeByStreamIdTopicsResponses];

export type PostUserUploadsData = {
    body: {
        /**
         * The file.
         */
        file: Blob | File;
    };
    path?: never;
    query?: never;
    url: '/api/v1/user_uploads';
};

export type PostUserUploadsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUserUploadsError = PostUserUploadsErrors[keyof PostUserUploadsErrors];

export type PostUserUploadsResponses = {
    /**
     * Success
     */
    200: Success & {
        url: string;
        /**
         * The same as url.
         */
        uri: string;
        filename: string;
    };
};

export type PostUserUploadsResponse = PostUserUploadsResponses[keyof PostUserUploadsResponses];

export type GetUserUploadsByRealmIdByPathData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The rest of the path of the file.
         */
        path: string;
    };
    query?: never;
    url: '/api/v1/user_uploads/{realm_id}/{path}';
};

export type GetUserUploadsByRealmIdByPathErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUserUploadsByRealmIdByPathError = GetUserUploadsByRealmIdByPathErrors[keyof GetUserUploadsByRealmIdByPathErrors];

export type GetUserUploadsByRealmIdByPathResponses = {
    /**
     * Success
     */
    200: Success & {
        url: string;
    };
};

export type GetUserUploadsByRealmIdByPathResponse = GetUserUploadsByRealmIdByPathResponses[keyof GetUserUploadsByRealmIdByPathResponses];

export type GetServerUserUploadsTemporaryByTokenByFilenameData = {
    body?: never;
    path: {
        /**
         * The credential in the address, or the token of the device.
         */
        token: string;
        /**
         * Name of the file.
         */
        filename: string;
    };
    query?: never;
    url: '/user_uploads/temporary/{token}/{filename}';
};

export type GetServerUserUploadsTemporaryByTokenByFilenameErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserUploadsTemporaryByTokenByFilenameError = GetServerUserUploadsTemporaryByTokenByFilenameErrors[keyof GetServerUserUploadsTemporaryByTokenByFilenameErrors];

export type GetServerUserUploadsTemporaryByTokenByFilenameResponses = {
    /**
     * The content
     */
    200: Blob | File;
};

export type GetServerUserUploadsTemporaryByTokenByFilenameResponse = GetServerUserUploadsTemporaryByTokenByFilenameResponses[keyof GetServerUserUploadsTemporaryByTokenByFilenameResponses];

export type GetServerUserUploadsThumbnailByRealmIdByPathByFormatData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The rest of the path of the file.
         */
        path: string;
        /**
         * Name of a format in `server_thumbnail_formats`.
         */
        format: string;
    };
    query?: never;
    url: '/user_uploads/thumbnail/{realm_id}/{path}/{format}';
};

export type GetServerUserUploadsThumbnailByRealmIdByPathByFormatErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserUploadsThumbnailByRealmIdByPathByFormatError = GetServerUserUploadsThumbnailByRealmIdByPathByFormatErrors[keyof GetServerUserUploadsThumbnailByRealmIdByPathByFormatErrors];

export type GetServerUserUploadsThumbnailByRealmIdByPathByFormatResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetServerUserUploadsThumbnailByRealmIdByPathData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The rest of the path of the file.
         */
        path: string;
    };
    query?: never;
    url: '/user_uploads/thumbnail/{realm_id}/{path}';
};

export type GetServerUserUploadsThumbnailByRealmIdByPathErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserUploadsThumbnailByRealmIdByPathError = GetServerUserUploadsThumbnailByRealmIdByPathErrors[keyof GetServerUserUploadsThumbnailByRealmIdByPathErrors];

export type GetServerUserUploadsThumbnailByRealmIdByPathResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetServerUserUploadsDownloadByRealmIdByPathData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The rest of the path of the file.
         */
        path: string;
    };
    query?: never;
    url: '/user_uploads/download/{realm_id}/{path}';
};

export type GetServerUserUploadsDownloadByRealmIdByPathErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserUploadsDownloadByRealmIdByPathError = GetServerUserUploadsDownloadByRealmIdByPathErrors[keyof GetServerUserUploadsDownloadByRealmIdByPathErrors];

export type GetServerUserUploadsDownloadByRealmIdByPathResponses = {
    /**
     * The content
     */
    200: Blob | File;
};

export type GetServerUserUploadsDownloadByRealmIdByPathResponse = GetServerUserUploadsDownloadByRealmIdByPathResponses[keyof GetServerUserUploadsDownloadByRealmIdByPathResponses];

export type GetServerUserUploadsByRealmIdByPathData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The rest of the path of the file.
         */
        path: string;
    };
    query?: never;
    url: '/user_uploads/{realm_id}/{path}';
};

export type GetServerUserUploadsByRealmIdByPathErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserUploadsByRealmIdByPathError = GetServerUserUploadsByRealmIdByPathErrors[keyof GetServerUserUploadsByRealmIdByPathErrors];

export type GetServerUserUploadsByRealmIdByPathResponses = {
    /**
     * The content
     */
    200: Blob | File;
};

export type GetServerUserUploadsByRealmIdByPathResponse = GetServerUserUploadsByRealmIdByPathResponses[keyof GetServerUserUploadsByRealmIdByPathResponses];

export type GetAttachmentsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/attachments';
};

export type GetAttachmentsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAttachmentsError = GetAttachmentsErrors[keyof GetAttachmentsErrors];

export type GetAttachmentsResponses = {
    /**
     * Success
     */
    200: Success & {
        attachments: Array<Attachment>;
        upload_space_used: number;
    };
};

export type GetAttachmentsResponse = GetAttachmentsResponses[keyof GetAttachmentsResponses];

export type DeleteAttachmentsByAttachmentIdData = {
    body?: never;
    path: {
        /**
         * ID of the file.
         */
        attachment_id: number;
    };
    query?: never;
    url: '/api/v1/attachments/{attachment_id}';
};

export type DeleteAttachmentsByAttachmentIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteAttachmentsByAttachmentIdError = DeleteAttachmentsByAttachmentIdErrors[keyof DeleteAttachmentsByAttachmentIdErrors];

export type DeleteAttachmentsByAttachmentIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteAttachmentsByAttachmentIdResponse = DeleteAttachmentsByAttachmentIdResponses[keyof DeleteAttachmentsByAttachmentIdResponses];

export type PatchRealmData = {
    body?: {
        /**
         * Where the organization is reached. It cannot be changed.
         */
        string_id?: string;
        /**
         * Name of the organization.
         */
        name?: string;
        /**
         * Markdown that describes the organization in `GET /server_settings`.
         */
        description?: string;
        /**
         * Clients: kind of the organization.
         */
        org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000;
        /**
         * Language that new users begin with.
         */
        default_language?: string;
        /**
         * Clients: people need an invitation. The server has no page to sign up without one, whatever this says.
         */
        invite_required?: boolean;
        /**
         * Clients: the organization wishes to be listed publicly.
         */
        want_advertise_in_communities_directory?: boolean;
        /**
         * New users have e-mail addresses in the domains of `GET /realm/domains`.
         */
        emails_restricted_to_domains?: boolean;
        /**
         * Nobody is invited at an address of a service whose addresses are thrown away after use.
         */
        disallow_disposable_email_addresses?: boolean;
        /**
         * Names that users get are nobody else's, without regard to case and compatibility forms, nor that of anybody deactivated.
         */
        require_unique_names?: boolean;
        /**
         * Days after which a member is a full member.
         */
        waiting_period_threshold?: number;
        /**
         * Only administrators may change names.
         */
        name_changes_disabled?: boolean;
        /**
         * Only administrators may change their e-mail addresses.
         */
        email_changes_disabled?: boolean;
        /**
         * Only administrators may change their pictures.
         */
        avatar_changes_disabled?: boolean;
        /**
         * People may edit what they sent.
         */
        allow_message_editing?: boolean;
        /**
         * How long content can be edited.
         */
        message_content_edit_limit_seconds?: number | string;
        /**
         * How long people may delete what they sent.
         */
        message_content_delete_limit_seconds?: number | string;
        /**
         * How old messages can be moved between topics.
         */
        move_messages_within_stream_limit_seconds?: number | string;
        /**
         * How old messages can be moved between channels.
         */
        move_messages_between_streams_limit_seconds?: number | string;
        /**
         * What of the edit history of messages is shown.
         */
        message_edit_history_visibility_policy?: 'all' | 'moves' | 'none';
        /**
         * Clients: days that messages are kept, where the channel says nothing else. Nothing is deleted by it yet.
         */
        message_retention_days?: number | string;
        /**
         * Whether messages need a topic, in channels that leave it to the organization.
         */
        topics_policy?: 'allow_empty_topic' | 'disable_empty_topic';
        /**
         * People can see who read a message.
         */
        enable_read_receipts?: boolean;
        /**
         * Nobody is told who is online.
         */
        presence_disabled?: boolean;
        /**
         * Clients: mark guests by "(guest)" behind their names.
         */
        enable_guest_user_indicator?: boolean;
        /**
         * Clients: warn who writes to guests directly.
         */
        enable_guest_user_dm_warning?: boolean;
        /**
         * Users without an account may read web-public channels.
         */
        enable_spectator_access?: boolean;
        /**
         * Uploaded pictures, sounds and videos, and videos of other hosts, are shown in messages that refer to them.
         */
        inline_image_preview?: boolean;
        /**
         * Clients: show previews of websites. The server fetches none (`server_inline_url_embed_preview`).
         */
        inline_url_embed_preview?: boolean;
        /**
         * Service of video calls, by its ID in `realm_available_video_chat_providers`; 0 for none.
         */
        video_chat_provider?: 0 | 1 | 3 | 4;
        /**
         * Ways to sign in that are on, by their names; those that are not named stay as they are.
         */
        authentication_methods?: {
            [key: string]: unknown | boolean;
        };
        /**
         * Clients: server of video calls with Jitsi Meet; `default` for the server's.
         */
        jitsi_server_url?: string;
        /**
         * Clients: rating of the GIFs offered, by `giphy_rating_options`.
         */
        giphy_rating?: 0 | 1 | 2 | 3 | 4 | 5;
        /**
         * Language of code blocks that name none.
         */
        default_code_block_language?: string;
        /**
         * Markdown of the direct message to each new user; empty for none.
         */
        welcome_message_custom_text?: string;
        /**
         * Channel in which new channels are announced, or -1.
         */
        new_stream_announcements_stream_id?: number;
        /**
         * Channel in which new users are announced, or -1.
         */
        signup_announcements_stream_id?: number;
        /**
         * Clients: channel for news of the server, or -1. The server announces none.
         */
        zulip_update_announcements_stream_id?: number;
        /**
         * Private channel that reports of messages go to, or -1.
         */
        moderation_request_channel_id?: number;
        /**
         * Clients: people get digests by mail. The server sends none (`settings_send_digest_emails`).
         */
        digest_emails_enabled?: boolean;
        /**
         * Clients: day of the week for digests; 0 is Monday.
         */
        digest_weekday?: 0 | 1 | 2 | 3 | 4 | 5 | 6;
        /**
         * Clients: new users are welcomed by mail. The server sends none of that kind.
         */
        send_welcome_emails?: boolean;
        /**
         * Mails about missed messages contain them.
         */
        message_content_allowed_in_email_notifications?: boolean;
        /**
         * Push notifications to devices that cannot decrypt them contain no messages.
         */
        require_e2ee_push_notifications?: boolean;
        /**
         * Channels are told by the notification bot what becomes of them.
         */
        send_channel_events_messages?: boolean;
        /**
         * Who may: Make links that invite.
         */
        create_multiuse_invite_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Know all users; other guests know those whom they share a channel or a direct conversation with.
         */
        can_access_all_users_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Read everything that was ever recorded; each of their calls is recorded with a reason.
         */
        can_audit_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Add emoji.
         */
        can_add_custom_emoji_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Subscribe others to channels.
         */
        can_add_subscribers_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Make bots of any kind.
         */
        can_create_bots_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Make bots that can only send.
         */
        can_create_write_only_bots_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Create user groups.
         */
        can_create_groups?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Create public channels.
         */
        can_create_public_channel_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Create private channels.
         */
        can_create_private_channel_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Create web-public channels.
         */
        can_create_web_public_channel_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Delete other users' messages.
         */
        can_delete_any_message_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Delete what they sent, within the time limit.
         */
        can_delete_own_message_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Invite people.
         */
        can_invite_users_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Manage all user groups.
         */
        can_manage_all_groups?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: See and change billing.
         */
        can_manage_billing_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Use wildcard and group mentions that reach many.
         */
        can_mention_many_users_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Move messages to other channels.
         */
        can_move_messages_between_channels_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Move messages to other topics.
         */
        can_move_messages_between_topics_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Mark topics as resolved.
         */
        can_resolve_topics_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Set who may delete messages of a channel.
         */
        can_set_delete_message_policy_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Set the topics policy of a channel.
         */
        can_set_topics_policy_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Have topics summarized.
         */
        can_summarize_topics_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: Begin direct conversations.
         */
        direct_message_initiator_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may: One of them has to be in every direct conversation.
         */
        direct_message_permission_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm';
};

export type PatchRealmErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmError = PatchRealmErrors[keyof PatchRealmErrors];

export type PatchRealmResponses = {
    /**
     * Success
     */
    200: Success & {
        name?: string;
        description?: string;
        org_type?: number;
        default_language?: string;
        invite_required?: boolean;
        want_advertise_in_communities_directory?: boolean;
        emails_restricted_to_domains?: boolean;
        disallow_disposable_email_addresses?: boolean;
        require_unique_names?: boolean;
        waiting_period_threshold?: number;
        name_changes_disabled?: boolean;
        email_changes_disabled?: boolean;
        avatar_changes_disabled?: boolean;
        allow_message_editing?: boolean;
        message_content_edit_limit_seconds?: number | null;
        message_content_delete_limit_seconds?: number | null;
        move_messages_within_stream_limit_seconds?: number | null;
        move_messages_between_streams_limit_seconds?: number | null;
        message_edit_history_visibility_policy?: 'all' | 'moves' | 'none';
        message_retention_days?: number;
        topics_policy?: 'allow_empty_topic' | 'disable_empty_topic';
        enable_read_receipts?: boolean;
        presence_disabled?: boolean;
        enable_guest_user_indicator?: boolean;
        enable_guest_user_dm_warning?: boolean;
        enable_spectator_access?: boolean;
        inline_image_preview?: boolean;
        inline_url_embed_preview?: boolean;
        video_chat_provider?: number;
        authentication_methods?: {
            [key: string]: {
                enabled: boolean;
                available: boolean;
                unavailable_reason?: string;
            };
        };
        jitsi_server_url?: string | null;
        giphy_rating?: number;
        default_code_block_language?: string;
        welcome_message_custom_text?: string;
        new_stream_announcements_stream_id?: number;
        signup_announcements_stream_id?: number;
        zulip_update_announcements_stream_id?: number;
        moderation_request_channel_id?: number;
        digest_emails_enabled?: boolean;
        digest_weekday?: number;
        send_welcome_emails?: boolean;
        message_content_allowed_in_email_notifications?: boolean;
        require_e2ee_push_notifications?: boolean;
        send_channel_events_messages?: boolean;
        create_multiuse_invite_group?: GroupSetting;
        can_access_all_users_group?: GroupSetting;
        can_audit_group?: GroupSetting;
        can_add_custom_emoji_group?: GroupSetting;
        can_add_subscribers_group?: GroupSetting;
        can_create_bots_group?: GroupSetting;
        can_create_write_only_bots_group?: GroupSetting;
        can_create_groups?: GroupSetting;
        can_create_public_channel_group?: GroupSetting;
        can_create_private_channel_group?: GroupSetting;
        can_create_web_public_channel_group?: GroupSetting;
        can_delete_any_message_group?: GroupSetting;
        can_delete_own_message_group?: GroupSetting;
        can_invite_users_group?: GroupSetting;
        can_manage_all_groups?: GroupSetting;
        can_manage_billing_group?: GroupSetting;
        can_mention_many_users_group?: GroupSetting;
        can_move_messages_between_channels_group?: GroupSetting;
        can_move_messages_between_topics_group?: GroupSetting;
        can_resolve_topics_group?: GroupSetting;
        can_set_delete_message_policy_group?: GroupSetting;
        can_set_topics_policy_group?: GroupSetting;
        can_summarize_topics_group?: GroupSetting;
        direct_message_initiator_group?: GroupSetting;
        direct_message_permission_group?: GroupSetting;
    };
};

export type PatchRealmResponse = PatchRealmResponses[keyof PatchRealmResponses];

export type PostRealmDeactivateData = {
    body?: {
        /**
         * After so many days the operator is to delete the data; null to keep it.
         */
        deletion_delay_days?: number | null;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/deactivate';
};

export type PostRealmDeactivateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmDeactivateError = PostRealmDeactivateErrors[keyof PostRealmDeactivateErrors];

export type PostRealmDeactivateResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostRealmDeactivateResponse = PostRealmDeactivateResponses[keyof PostRealmDeactivateResponses];

export type PostRealmTestWelcomeBotCustomMessageData = {
    body: {
        /**
         * Markdown of the message.
         */
        welcome_message_custom_text: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/test_welcome_bot_custom_message';
};

export type PostRealmTestWelcomeBotCustomMessageErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmTestWelcomeBotCustomMessageError = PostRealmTestWelcomeBotCustomMessageErrors[keyof PostRealmTestWelcomeBotCustomMessageErrors];

export type PostRealmTestWelcomeBotCustomMessageResponses = {
    /**
     * Success
     */
    200: Success & {
        message_id: number;
    };
};

export type PostRealmTestWelcomeBotCustomMessageResponse = PostRealmTestWelcomeBotCustomMessageResponses[keyof PostRealmTestWelcomeBotCustomMessageResponses];

export type GetRealmLinkifiersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/linkifiers';
};

export type GetRealmLinkifiersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmLinkifiersError = GetRealmLinkifiersErrors[keyof GetRealmLinkifiersErrors];

export type GetRealmLinkifiersResponses = {
    /**
     * Success
     */
    200: Success & {
        linkifiers: Array<Linkifier>;
    };
};

export type GetRealmLinkifiersResponse = GetRealmLinkifiersResponses[keyof GetRealmLinkifiersResponses];

export type PatchRealmLinkifiersData = {
    body: {
        /**
         * All IDs, in the new order.
         */
        ordered_linkifier_ids: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/linkifiers';
};

export type PatchRealmLinkifiersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmLinkifiersError = PatchRealmLinkifiersErrors[keyof PatchRealmLinkifiersErrors];

export type PatchRealmLinkifiersResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchRealmLinkifiersResponse = PatchRealmLinkifiersResponses[keyof PatchRealmLinkifiersResponses];

export type GetRealmFiltersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/filters';
};

export type GetRealmFiltersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmFiltersError = GetRealmFiltersErrors[keyof GetRealmFiltersErrors];

export type GetRealmFiltersResponses = {
    /**
     * Success
     */
    200: Success & {
        filters: Array<[
            string,
            string,
            number
        ]>;
    };
};

export type GetRealmFiltersResponse = GetRealmFiltersResponses[keyof GetRealmFiltersResponses];

export type PostRealmFiltersData = {
    body: {
        /**
         * A regular expression in the syntax of RE2: `#(?P<id>[0-9]+)`.
         */
        pattern: string;
        /**
         * A URL template (RFC 6570) over the groups: `https://e.example/{id}`.
         */
        url_template: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/filters';
};

export type PostRealmFiltersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmFiltersError = PostRealmFiltersErrors[keyof PostRealmFiltersErrors];

export type PostRealmFiltersResponses = {
    /**
     * Success
     */
    200: Success & {
        id: number;
    };
};

export type PostRealmFiltersResponse = PostRealmFiltersResponses[keyof PostRealmFiltersResponses];

export type DeleteRealmFiltersByFilterIdData = {
    body?: never;
    path: {
        /**
         * ID of the linkifier.
         */
        filter_id: number;
    };
    query?: never;
    url: '/api/v1/realm/filters/{filter_id}';
};

export type DeleteRealmFiltersByFilterIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmFiltersByFilterIdError = DeleteRealmFiltersByFilterIdErrors[keyof DeleteRealmFiltersByFilterIdErrors];

export type DeleteRealmFiltersByFilterIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteRealmFiltersByFilterIdResponse = DeleteRealmFiltersByFilterIdResponses[keyof DeleteRealmFiltersByFilterIdResponses];

export type PatchRealmFiltersByFilterIdData = {
    body: {
        /**
         * A regular expression in the syntax of RE2: `#(?P<id>[0-9]+)`.
         */
        pattern: string;
        /**
         * A URL template (RFC 6570) over the groups: `https://e.example/{id}`.
         */
        url_template: string;
    };
    path: {
        /**
         * ID of the linkifier.
         */
        filter_id: number;
    };
    query?: never;
    url: '/api/v1/realm/filters/{filter_id}';
};

export type PatchRealmFiltersByFilterIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmFiltersByFilterIdError = PatchRealmFiltersByFilterIdErrors[keyof PatchRealmFiltersByFilterIdErrors];

export type PatchRealmFiltersByFilterIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchRealmFiltersByFilterIdResponse = PatchRealmFiltersByFilterIdResponses[keyof PatchRealmFiltersByFilterIdResponses];

export type GetRealmDomainsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/domains';
};

export type GetRealmDomainsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmDomainsError = GetRealmDomainsErrors[keyof GetRealmDomainsErrors];

export type GetRealmDomainsResponses = {
    /**
     * Success
     */
    200: Success & {
        domains: Array<Domain>;
    };
};

export type GetRealmDomainsResponse = GetRealmDomainsResponses[keyof GetRealmDomainsResponses];

export type PostRealmDomainsData = {
    body: {
        /**
         * Whether the domains below it belong to the organization, too.
         */
        allow_subdomains: boolean;
        /**
         * Such as `example.com`.
         */
        domain: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/domains';
};

export type PostRealmDomainsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmDomainsError = PostRealmDomainsErrors[keyof PostRealmDomainsErrors];

export type PostRealmDomainsResponses = {
    /**
     * Success
     */
    200: Success & {
        new_domain: [
            number,
            string
        ];
    };
};

export type PostRealmDomainsResponse = PostRealmDomainsResponses[keyof PostRealmDomainsResponses];

export type DeleteRealmDomainsByDomainData = {
    body?: never;
    path: {
        /**
         * The domain.
         */
        domain: string;
    };
    query?: never;
    url: '/api/v1/realm/domains/{domain}';
};

export type DeleteRealmDomainsByDomainErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmDomainsByDomainError = DeleteRealmDomainsByDomainErrors[keyof DeleteRealmDomainsByDomainErrors];

export type DeleteRealmDomainsByDomainResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteRealmDomainsByDomainResponse = DeleteRealmDomainsByDomainResponses[keyof DeleteRealmDomainsByDomainResponses];

export type PatchRealmDomainsByDomainData = {
    body: {
        /**
         * Whether the domains below it belong to the organization, too.
         */
        allow_subdomains: boolean;
    };
    path: {
        /**
         * The domain.
         */
        domain: string;
    };
    query?: never;
    url: '/api/v1/realm/domains/{domain}';
};

export type PatchRealmDomainsByDomainErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmDomainsByDomainError = PatchRealmDomainsByDomainErrors[keyof PatchRealmDomainsByDomainErrors];

export type PatchRealmDomainsByDomainResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchRealmDomainsByDomainResponse = PatchRealmDomainsByDomainResponses[keyof PatchRealmDomainsByDomainResponses];

export type PostRealmPlaygroundsData = {
    body: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Language of the code blocks that it is for, such as `Python`.
         */
        pygments_language: string;
        /**
         * A URL template (RFC 6570) over `code`: `https://e.example/?code={code}`.
         */
        url_template: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/playgrounds';
};

export type PostRealmPlaygroundsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmPlaygroundsError = PostRealmPlaygroundsErrors[keyof PostRealmPlaygroundsErrors];

export type PostRealmPlaygroundsResponses = {
    /**
     * Success
     */
    200: Success & {
        id: number;
    };
};

export type PostRealmPlaygroundsResponse = PostRealmPlaygroundsResponses[keyof PostRealmPlaygroundsResponses];

export type DeleteRealmPlaygroundsByPlaygroundIdData = {
    body?: never;
    path: {
        /**
         * ID of the code playground.
         */
        playground_id: number;
    };
    query?: never;
    url: '/api/v1/realm/playgrounds/{playground_id}';
};

export type DeleteRealmPlaygroundsByPlaygroundIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmPlaygroundsByPlaygroundIdError = DeleteRealmPlaygroundsByPlaygroundIdErrors[keyof DeleteRealmPlaygroundsByPlaygroundIdErrors];

export type DeleteRealmPlaygroundsByPlaygroundIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteRealmPlaygroundsByPlaygroundIdResponse = DeleteRealmPlaygroundsByPlaygroundIdResponses[keyof DeleteRealmPlaygroundsByPlaygroundIdResponses];

export type DeleteUsersByUserIdData = {
    body?: {
        /**
         * The user is told by mail; this is added to it. Without the parameter no mail is sent.
         */
        deactivation_notification_comment?: string;
    };
    path: {
        /**
         * ID of the user.
         */
        user_id: number;
    };
    query?: never;
    url: '/api/v1/users/{user_id}';
};

export type DeleteUsersByUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersByUserIdError = DeleteUsersByUserIdErrors[keyof DeleteUsersByUserIdErrors];

export type DeleteUsersByUserIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersByUserIdResponse = DeleteUsersByUserIdResponses[keyof DeleteUsersByUserIdResponses];

export type GetUsersByUserIdData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: string;
    };
    query?: {
        /**
         * Also as `client_extavatar`.
         */
        client_gravatar?: boolean;
        /**
         * Adds the values of profile fields.
         */
        include_custom_profile_fields?: boolean;
    };
    url: '/api/v1/users/{user_id}';
};

export type GetUsersByUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersByUserIdError = GetUsersByUserIdErrors[keyof GetUsersByUserIdErrors];

export type GetUsersByUserIdResponses = {
    /**
     * Success
     */
    200: Success & {
        user: User;
    };
};

export type GetUsersByUserIdResponse = GetUsersByUserIdResponses[keyof GetUsersByUserIdResponses];

export type PatchUsersByUserIdData = {
    body?: {
        /**
         * Name of the account.
         */
        full_name?: string;
        /**
         * Role of the account: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        role?: 100 | 200 | 300 | 400 | 600;
        /**
         * E-mail address; counts at once.
         */
        new_email?: string;
        /**
         * Values by the IDs of the fields; null or empty removes one.
         */
        profile_data?: Array<{
            id: number;
            value: string | Array<number> | null;
        }>;
    };
    path: {
        /**
         * ID of the user.
         */
        user_id: string;
    };
    query?: never;
    url: '/api/v1/users/{user_id}';
};

export type PatchUsersByUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchUsersByUserIdError = PatchUsersByUserIdErrors[keyof PatchUsersByUserIdErrors];

export type PatchUsersByUserIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchUsersByUserIdResponse = PatchUsersByUserIdResponses[keyof PatchUsersByUserIdResponses];

export type DeleteUsersMeData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/users/me';
};

export type DeleteUsersMeErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeError = DeleteUsersMeErrors[keyof DeleteUsersMeErrors];

export type DeleteUsersMeResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersMeResponse = DeleteUsersMeResponses[keyof DeleteUsersMeResponses];

export type GetUsersMeData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Also as `client_extavatar`.
         */
        client_gravatar?: boolean;
    };
    url: '/api/v1/users/me';
};

export type GetUsersMeErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersMeError = GetUsersMeErrors[keyof GetUsersMeErrors];

export type GetUsersMeResponses = {
    /**
     * Success
     */
    200: Success & {
        user_id: number;
        /**
         * The real address; null for those who may not know it.
         */
        delivery_email: string | null;
        email: string;
        full_name: string;
        /**
         * ISO 8601.
         */
        date_joined: string;
        is_active: boolean;
        is_owner: boolean;
        is_admin: boolean;
        is_guest: boolean;
        is_bot: boolean;
        bot_type: number | null;
        bot_owner_id: number | null;
        /**
         * 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        role: 100 | 200 | 300 | 400 | 600;
        /**
         * Null where the client computes it.
         */
        avatar_url: string | null;
        avatar_version: number;
        is_system_bot?: true;
        /**
         * Values by ID of the field. For people only.
         */
        profile_data?: {
            [key: string]: {
                value: string;
                rendered_value?: string;
            };
        };
        timezone: string;
        max_message_id: number;
    };
};

export type GetUsersMeResponse = GetUsersMeResponses[keyof GetUsersMeResponses];

export type PostUsersByUserIdReactivateData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: number;
    };
    query?: never;
    url: '/api/v1/users/{user_id}/reactivate';
};

export type PostUsersByUserIdReactivateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersByUserIdReactivateError = PostUsersByUserIdReactivateErrors[keyof PostUsersByUserIdReactivateErrors];

export type PostUsersByUserIdReactivateResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersByUserIdReactivateResponse = PostUsersByUserIdReactivateResponses[keyof PostUsersByUserIdReactivateResponses];

export type PostFetchApiKeyData = {
    body: {
        /**
         * E-mail address of the account.
         */
        username: string;
        /**
         * The password.
         */
        password: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/fetch_api_key';
};

export type PostFetchApiKeyErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostFetchApiKeyError = PostFetchApiKeyErrors[keyof PostFetchApiKeyErrors];

export type PostFetchApiKeyResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
        email: string;
        user_id: number;
    };
};

export type PostFetchApiKeyResponse = PostFetchApiKeyResponses[keyof PostFetchApiKeyResponses];

export type PostServerJsonFetchApiKeyData = {
    body: {
        /**
         * The password.
         */
        password: string;
    };
    path?: never;
    query?: never;
    url: '/json/fetch_api_key';
};

export type PostServerJsonFetchApiKeyErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostServerJsonFetchApiKeyError = PostServerJsonFetchApiKeyErrors[keyof PostServerJsonFetchApiKeyErrors];

export type PostServerJsonFetchApiKeyResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
        email: string;
    };
};

export type PostServerJsonFetchApiKeyResponse = PostServerJsonFetchApiKeyResponses[keyof PostServerJsonFetchApiKeyResponses];

export type PostUsersMeApiKeyRegenerateData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/users/me/api_key/regenerate';
};

export type PostUsersMeApiKeyRegenerateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeApiKeyRegenerateError = PostUsersMeApiKeyRegenerateErrors[keyof PostUsersMeApiKeyRegenerateErrors];

export type PostUsersMeApiKeyRegenerateResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
    };
};

export type PostUsersMeApiKeyRegenerateResponse = PostUsersMeApiKeyRegenerateResponses[keyof PostUsersMeApiKeyRegenerateResponses];

export type PostServerJsonUsersMeApiKeyRegenerateData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/json/users/me/api_key/regenerate';
};

export type PostServerJsonUsersMeApiKeyRegenerateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostServerJsonUsersMeApiKeyRegenerateError = PostServerJsonUsersMeApiKeyRegenerateErrors[keyof PostServerJsonUsersMeApiKeyRegenerateErrors];

export type PostServerJsonUsersMeApiKeyRegenerateResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
    };
};

export type PostServerJsonUsersMeApiKeyRegenerateResponse = PostServerJsonUsersMeApiKeyRegenerateResponses[keyof PostServerJsonUsersMeApiKeyRegenerateResponses];

export type DeleteUsersMeProfileDataData = {
    body: {
        /**
         * IDs of the fields.
         */
        data: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/profile_data';
};

export type DeleteUsersMeProfileDataErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeProfileDataError = DeleteUsersMeProfileDataErrors[keyof DeleteUsersMeProfileDataErrors];

export type DeleteUsersMeProfileDataResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersMeProfileDataResponse = DeleteUsersMeProfileDataResponses[keyof DeleteUsersMeProfileDataResponses];

export type PatchUsersMeProfileDataData = {
    body: {
        /**
         * Values by the IDs of the fields.
         */
        data: Array<{
            id: number;
            value: string | Array<number>;
        }>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/profile_data';
};

export type PatchUsersMeProfileDataErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchUsersMeProfileDataError = PatchUsersMeProfileDataErrors[keyof PatchUsersMeProfileDataErrors];

export type PatchUsersMeProfileDataResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchUsersMeProfileDataResponse = PatchUsersMeProfileDataResponses[keyof PatchUsersMeProfileDataResponses];

export type GetRealmProfileFieldsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/profile_fields';
};

export type GetRealmProfileFieldsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmProfileFieldsError = GetRealmProfileFieldsErrors[keyof GetRealmProfileFieldsErrors];

export type GetRealmProfileFieldsResponses = {
    /**
     * Success
     */
    200: Success & {
        custom_fields: Array<ProfileField>;
    };
};

export type GetRealmProfileFieldsResponse = GetRealmProfileFieldsResponses[keyof GetRealmProfileFieldsResponses];

export type PatchRealmProfileFieldsData = {
    body: {
        /**
         * All IDs, in the new order.
         */
        order: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/profile_fields';
};

export type PatchRealmProfileFieldsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmProfileFieldsError = PatchRealmProfileFieldsErrors[keyof PatchRealmProfileFieldsErrors];

export type PatchRealmProfileFieldsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchRealmProfileFieldsResponse = PatchRealmProfileFieldsResponses[keyof PatchRealmProfileFieldsResponses];

export type PostRealmProfileFieldsData = {
    body: {
        /**
         * Its name.
         */
        name?: string;
        /**
         * A hint for who fills it in.
         */
        hint?: string;
        /**
         * Choices, or the kind of external account.
         */
        field_data?: {
            [key: string]: unknown;
        };
        /**
         * Shown in the summary of the profile.
         */
        display_in_profile_summary?: boolean;
        /**
         * Everybody is asked for it.
         */
        required?: boolean;
        /**
         * People fill it in themselves.
         */
        editable_by_user?: boolean;
        /**
         * 1 short text, 2 paragraph, 3 options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.
         */
        field_type: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/profile_fields';
};

export type PostRealmProfileFieldsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmProfileFieldsError = PostRealmProfileFieldsErrors[keyof PostRealmProfileFieldsErrors];

export type PostRealmProfileFieldsResponses = {
    /**
     * Success
     */
    200: Success & {
        id: number;
    };
};

export type PostRealmProfileFieldsResponse = PostRealmProfileFieldsResponses[keyof PostRealmProfileFieldsResponses];

export type DeleteRealmProfileFieldsByFieldIdData = {
    body?: never;
    path: {
        /**
         * ID of the profile field.
         */
        field_id: number;
    };
    query?: never;
    url: '/api/v1/realm/profile_fields/{field_id}';
};

export type DeleteRealmProfileFieldsByFieldIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmProfileFieldsByFieldIdError = DeleteRealmProfileFieldsByFieldIdErrors[keyof DeleteRealmProfileFieldsByFieldIdErrors];

export type DeleteRealmProfileFieldsByFieldIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteRealmProfileFieldsByFieldIdResponse = DeleteRealmProfileFieldsByFieldIdResponses[keyof DeleteRealmProfileFieldsByFieldIdResponses];

export type PatchRealmProfileFieldsByFieldIdData = {
    body?: {
        /**
         * Its name.
         */
        name?: string;
        /**
         * A hint for who fills it in.
         */
        hint?: string;
        /**
         * Choices, or the kind of external account.
         */
        field_data?: {
            [key: string]: unknown;
        };
        /**
         * Shown in the summary of the profile.
         */
        display_in_profile_summary?: boolean;
        /**
         * Everybody is asked for it.
         */
        required?: boolean;
        /**
         * People fill it in themselves.
         */
        editable_by_user?: boolean;
    };
    path: {
        /**
         * ID of the profile field.
         */
        field_id: number;
    };
    query?: never;
    url: '/api/v1/realm/profile_fields/{field_id}';
};

export type PatchRealmProfileFieldsByFieldIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmProfileFieldsByFieldIdError = PatchRealmProfileFieldsByFieldIdErrors[keyof PatchRealmProfileFieldsByFieldIdErrors];

export type PatchRealmProfileFieldsByFieldIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchRealmProfileFieldsByFieldIdResponse = PatchRealmProfileFieldsByFieldIdResponses[keyof PatchRealmProfileFieldsByFieldIdResponses];

export type GetServerSettingsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/server_settings';
};

export type GetServerSettingsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerSettingsError = GetServerSettingsErrors[keyof GetServerSettingsErrors];

export type GetServerSettingsResponses = {
    /**
     * Success
     */
    200: Success & ServerSettings;
};

export type GetServerSettingsResponse = GetServerSettingsResponses[keyof GetServerSettingsResponses];

export type GetServerCompatibilityData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/compatibility';
};

export type GetServerCompatibilityErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerCompatibilityError = GetServerCompatibilityErrors[keyof GetServerCompatibilityErrors];

export type GetServerCompatibilityResponses = {
    /**
     * Success
     */
    200: Success;
};

export type GetServerCompatibilityResponse = GetServerCompatibilityResponses[keyof GetServerCompatibilityResponses];

export type GetUsersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Also as `client_extavatar`.
         */
        client_gravatar?: boolean;
        /**
         * Adds the values of profile fields.
         */
        include_custom_profile_fields?: boolean;
        /**
         * Only these users.
         */
        user_ids?: Array<number>;
    };
    url: '/api/v1/users';
};

export type GetUsersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersError = GetUsersErrors[keyof GetUsersErrors];

export type GetUsersResponses = {
    /**
     * Success
     */
    200: Success & {
        members: Array<ShownUser>;
    };
};

export type GetUsersResponse = GetUsersResponses[keyof GetUsersResponses];

export type PostUsersData = {
    body: {
        /**
         * E-mail address.
         */
        email: string;
        /**
         * The password.
         */
        password: string;
        /**
         * Name of the account.
         */
        full_name: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users';
};

export type PostUsersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersError = PostUsersErrors[keyof PostUsersErrors];

export type PostUsersResponses = {
    /**
     * Success
     */
    200: Success & {
        user_id: number;
    };
};

export type PostUsersResponse = PostUsersResponses[keyof PostUsersResponses];

export type DeleteSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/session';
};

export type DeleteSessionErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteSessionError = DeleteSessionErrors[keyof DeleteSessionErrors];

export type DeleteSessionResponses = {
    /**
     * Success
     */
    200: Success & Session;
};

export type DeleteSessionResponse = DeleteSessionResponses[keyof DeleteSessionResponses];

export type GetSessionData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/session';
};

export type GetSessionErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetSessionError = GetSessionErrors[keyof GetSessionErrors];

export type GetSessionResponses = {
    /**
     * Success
     */
    200: Success & Session;
};

export type GetSessionResponse = GetSessionResponses[keyof GetSessionResponses];

export type PostSessionData = {
    body: {
        /**
         * E-mail address of the account.
         */
        username: string;
        /**
         * The password.
         */
        password: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/session';
};

export type PostSessionErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostSessionError = PostSessionErrors[keyof PostSessionErrors];

export type PostSessionResponses = {
    /**
     * Success
     */
    200: Success & Session;
};

export type PostSessionResponse = PostSessionResponses[keyof PostSessionResponses];

export type PostJwtFetchApiKeyData = {
    body?: {
        /**
         * Signed JSON web token with the claim `email`.
         */
        token?: string;
        /**
         * Adds the user to the answer.
         */
        include_profile?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/jwt/fetch_api_key';
};

export type PostJwtFetchApiKeyErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostJwtFetchApiKeyError = PostJwtFetchApiKeyErrors[keyof PostJwtFetchApiKeyErrors];

export type PostJwtFetchApiKeyResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
        email: string;
        user?: User;
    };
};

export type PostJwtFetchApiKeyResponse = PostJwtFetchApiKeyResponses[keyof PostJwtFetchApiKeyResponses];

export type PostDevFetchApiKeyData = {
    body: {
        /**
         * E-mail address of the account.
         */
        username: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/dev_fetch_api_key';
};

export type PostDevFetchApiKeyErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostDevFetchApiKeyError = PostDevFetchApiKeyErrors[keyof PostDevFetchApiKeyErrors];

export type PostDevFetchApiKeyResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
        email: string;
        user_id: number;
    };
};

export type PostDevFetchApiKeyResponse = PostDevFetchApiKeyResponses[keyof PostDevFetchApiKeyResponses];

export type GetDevListUsersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/dev_list_users';
};

export type GetDevListUsersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetDevListUsersError = GetDevListUsersErrors[keyof GetDevListUsersErrors];

export type GetDevListUsersResponses = {
    /**
     * Success
     */
    200: Success & {
        direct_admins: Array<{
            email: string;
            realm_url: string;
            realm_uri: string;
        }>;
        direct_users: Array<{
            email: string;
            realm_url: string;
            realm_uri: string;
        }>;
    };
};

export type GetDevListUsersResponse = GetDevListUsersResponses[keyof GetDevListUsersResponses];

export type GetServerAvatarByUserIdData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: string;
    };
    query?: never;
    url: '/avatar/{user_id}';
};

export type GetServerAvatarByUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerAvatarByUserIdError = GetServerAvatarByUserIdErrors[keyof GetServerAvatarByUserIdErrors];

export type GetServerAvatarByUserIdResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetServerAvatarByUserIdMediumData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: string;
    };
    query?: never;
    url: '/avatar/{user_id}/medium';
};

export type GetServerAvatarByUserIdMediumErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerAvatarByUserIdMediumError = GetServerAvatarByUserIdMediumErrors[keyof GetServerAvatarByUserIdMediumErrors];

export type GetServerAvatarByUserIdMediumResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type DeleteRealmIconData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/icon';
};

export type DeleteRealmIconErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmIconError = DeleteRealmIconErrors[keyof DeleteRealmIconErrors];

export type DeleteRealmIconResponses = {
    /**
     * Success
     */
    200: Success & {
        icon_url: string;
    };
};

export type DeleteRealmIconResponse = DeleteRealmIconResponses[keyof DeleteRealmIconResponses];

export type GetRealmIconData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/icon';
};

export type GetRealmIconErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmIconError = GetRealmIconErrors[keyof GetRealmIconErrors];

export type GetRealmIconResponses = {
    /**
     * Success
     */
    200: Success & {
        icon_url: string;
    };
};

export type GetRealmIconResponse = GetRealmIconResponses[keyof GetRealmIconResponses];

export type PostRealmIconData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/icon';
};

export type PostRealmIconErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmIconError = PostRealmIconErrors[keyof PostRealmIconErrors];

export type PostRealmIconResponses = {
    /**
     * Success
     */
    200: Success & {
        icon_url: string;
    };
};

export type PostRealmIconResponse = PostRealmIconResponses[keyof PostRealmIconResponses];

export type DeleteRealmLogoData = {
    body?: {
        /**
         * The logo for dark themes.
         */
        night?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/logo';
};

export type DeleteRealmLogoErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmLogoError = DeleteRealmLogoErrors[keyof DeleteRealmLogoErrors];

export type DeleteRealmLogoResponses = {
    /**
     * Success
     */
    200: Success & {
        logo_url: string;
    };
};

export type DeleteRealmLogoResponse = DeleteRealmLogoResponses[keyof DeleteRealmLogoResponses];

export type GetRealmLogoData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The logo for dark themes.
         */
        night?: boolean;
    };
    url: '/api/v1/realm/logo';
};

export type GetRealmLogoErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmLogoError = GetRealmLogoErrors[keyof GetRealmLogoErrors];

export type GetRealmLogoResponses = {
    /**
     * Success
     */
    200: Success & {
        logo_url: string;
    };
};

export type GetRealmLogoResponse = GetRealmLogoResponses[keyof GetRealmLogoResponses];

export type PostRealmLogoData = {
    body?: {
        /**
         * The logo for dark themes.
         */
        night?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/logo';
};

export type PostRealmLogoErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmLogoError = PostRealmLogoErrors[keyof PostRealmLogoErrors];

export type PostRealmLogoResponses = {
    /**
     * Success
     */
    200: Success & {
        logo_url: string;
    };
};

export type PostRealmLogoResponse = PostRealmLogoResponses[keyof PostRealmLogoResponses];

export type GetRealmEmojiData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/emoji';
};

export type GetRealmEmojiErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmEmojiError = GetRealmEmojiErrors[keyof GetRealmEmojiErrors];

export type GetRealmEmojiResponses = {
    /**
     * Success
     */
    200: Success & {
        emoji: {
            [key: string]: CustomEmoji;
        };
    };
};

export type GetRealmEmojiResponse = GetRealmEmojiResponses[keyof GetRealmEmojiResponses];

export type DeleteRealmEmojiByNameData = {
    body?: never;
    path: {
        /**
         * Its name.
         */
        name: string;
    };
    query?: never;
    url: '/api/v1/realm/emoji/{name}';
};

export type DeleteRealmEmojiByNameErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRealmEmojiByNameError = DeleteRealmEmojiByNameErrors[keyof DeleteRealmEmojiByNameErrors];

export type DeleteRealmEmojiByNameResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteRealmEmojiByNameResponse = DeleteRealmEmojiByNameResponses[keyof DeleteRealmEmojiByNameResponses];

export type PostRealmEmojiByNameData = {
    body?: never;
    path: {
        /**
         * Its name.
         */
        name: string;
    };
    query?: never;
    url: '/api/v1/realm/emoji/{name}';
};

export type PostRealmEmojiByNameErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRealmEmojiByNameError = PostRealmEmojiByNameErrors[keyof PostRealmEmojiByNameErrors];

export type PostRealmEmojiByNameResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostRealmEmojiByNameResponse = PostRealmEmojiByNameResponses[keyof PostRealmEmojiByNameResponses];

export type DeleteUsersMeAvatarData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/users/me/avatar';
};

export type DeleteUsersMeAvatarErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeAvatarError = DeleteUsersMeAvatarErrors[keyof DeleteUsersMeAvatarErrors];

export type DeleteUsersMeAvatarResponses = {
    /**
     * Success
     */
    200: Success & {
        avatar_url: string;
    };
};

export type DeleteUsersMeAvatarResponse = DeleteUsersMeAvatarResponses[keyof DeleteUsersMeAvatarResponses];

export type PostUsersMeAvatarData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/users/me/avatar';
};

export type PostUsersMeAvatarErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeAvatarError = PostUsersMeAvatarErrors[keyof PostUsersMeAvatarErrors];

export type PostUsersMeAvatarResponses = {
    /**
     * Success
     */
    200: Success & {
        avatar_url: string;
    };
};

export type PostUsersMeAvatarResponse = PostUsersMeAvatarResponses[keyof PostUsersMeAvatarResponses];

export type GetServerUserAvatarsByRealmIdByHashPngData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * Name of the picture.
         */
        hash: string;
    };
    query?: never;
    url: '/user_avatars/{realm_id}/{hash}.png';
};

export type GetServerUserAvatarsByRealmIdByHashPngErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserAvatarsByRealmIdByHashPngError = GetServerUserAvatarsByRealmIdByHashPngErrors[keyof GetServerUserAvatarsByRealmIdByHashPngErrors];

export type GetServerUserAvatarsByRealmIdByHashPngResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetServerUserAvatarsByRealmIdEmojiImagesByFileData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The file.
         */
        file: string;
    };
    query?: never;
    url: '/user_avatars/{realm_id}/emoji/images/{file}';
};

export type GetServerUserAvatarsByRealmIdEmojiImagesByFileErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserAvatarsByRealmIdEmojiImagesByFileError = GetServerUserAvatarsByRealmIdEmojiImagesByFileErrors[keyof GetServerUserAvatarsByRealmIdEmojiImagesByFileErrors];

export type GetServerUserAvatarsByRealmIdEmojiImagesByFileResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetServerUserAvatarsByRealmIdRealmByFileData = {
    body?: never;
    path: {
        /**
         * Number of the organization in addresses of files.
         */
        realm_id: string;
        /**
         * The file.
         */
        file: string;
    };
    query?: never;
    url: '/user_avatars/{realm_id}/realm/{file}';
};

export type GetServerUserAvatarsByRealmIdRealmByFileErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerUserAvatarsByRealmIdRealmByFileError = GetServerUserAvatarsByRealmIdRealmByFileErrors[keyof GetServerUserAvatarsByRealmIdRealmByFileErrors];

export type GetServerUserAvatarsByRealmIdRealmByFileResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetBotsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/bots';
};

export type GetBotsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetBotsError = GetBotsErrors[keyof GetBotsErrors];

export type GetBotsResponses = {
    /**
     * Success
     */
    200: Success & {
        bots: Array<{
            username: string;
            full_name: string;
            api_key: string;
            avatar_url: string;
            /**
             * Name of a channel.
             */
            default_sending_stream: string | null;
            /**
             * Name of a channel.
             */
            default_events_register_stream: string | null;
            default_all_public_streams: boolean;
        }>;
    };
};

export type GetBotsResponse = GetBotsResponses[keyof GetBotsResponses];

export type PostBotsData = {
    body: {
        /**
         * Channel that the bot sends to by default.
         */
        default_sending_stream?: string;
        /**
         * Channel of which the bot gets events by default.
         */
        default_events_register_stream?: string;
        /**
         * The bot gets events of all public channels by default.
         */
        default_all_public_streams?: boolean;
        /**
         * Texts by key that the bot is configured with.
         */
        config_data?: {
            [key: string]: unknown | string;
        };
        /**
         * Name of the account.
         */
        full_name: string;
        /**
         * Begins the address of the bot.
         */
        short_name: string;
        /**
         * 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.
         */
        bot_type?: number;
        /**
         * Service that an outgoing webhook bot calls, if the server may call its host.
         */
        payload_url?: string;
        /**
         * Name of the service of an outgoing webhook bot.
         */
        service_name?: string;
        /**
         * Form in which the service is called: 1 the own, 2 that of Slack.
         */
        interface_type?: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/bots';
};

export type PostBotsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostBotsError = PostBotsErrors[keyof PostBotsErrors];

export type PostBotsResponses = {
    /**
     * Success
     */
    200: Success & {
        user_id: number;
        api_key: string;
        avatar_url: string;
        /**
         * Name of a channel.
         */
        default_sending_stream: string | null;
        /**
         * Name of a channel.
         */
        default_events_register_stream: string | null;
        default_all_public_streams: boolean;
    };
};

export type PostBotsResponse = PostBotsResponses[keyof PostBotsResponses];

export type DeleteBotsByBotIdData = {
    body?: never;
    path: {
        /**
         * ID of the bot.
         */
        bot_id: number;
    };
    query?: never;
    url: '/api/v1/bots/{bot_id}';
};

export type DeleteBotsByBotIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteBotsByBotIdError = DeleteBotsByBotIdErrors[keyof DeleteBotsByBotIdErrors];

export type DeleteBotsByBotIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteBotsByBotIdResponse = DeleteBotsByBotIdResponses[keyof DeleteBotsByBotIdResponses];

export type PatchBotsByBotIdData = {
    body?: {
        /**
         * Channel that the bot sends to by default.
         */
        default_sending_stream?: string;
        /**
         * Channel of which the bot gets events by default.
         */
        default_events_register_stream?: string;
        /**
         * The bot gets events of all public channels by default.
         */
        default_all_public_streams?: boolean;
        /**
         * Texts by key that the bot is configured with.
         */
        config_data?: {
            [key: string]: unknown | string;
        };
        /**
         * Name of the account.
         */
        full_name?: string;
        /**
         * Role of the account: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        role?: 100 | 200 | 300 | 400 | 600;
        /**
         * ID of the new owner.
         */
        bot_owner_id?: number;
        /**
         * Address at which the service is called.
         */
        service_payload_url?: string;
        /**
         * Form in which the service is called: 1 the own, 2 that of Slack.
         */
        service_interface?: number;
    };
    path: {
        /**
         * ID of the bot.
         */
        bot_id: number;
    };
    query?: never;
    url: '/api/v1/bots/{bot_id}';
};

export type PatchBotsByBotIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchBotsByBotIdError = PatchBotsByBotIdErrors[keyof PatchBotsByBotIdErrors];

export type PatchBotsByBotIdResponses = {
    /**
     * Success
     */
    200: Success & {
        full_name: string;
        avatar_url: string;
        service_interface: number | null;
        service_payload_url: string | null;
        config_data: {
            [key: string]: string;
        };
        /**
         * Name of a channel.
         */
        default_sending_stream: string | null;
        /**
         * Name of a channel.
         */
        default_events_register_stream: string | null;
        default_all_public_streams: boolean;
        bot_owner?: string;
    };
};

export type PatchBotsByBotIdResponse = PatchBotsByBotIdResponses[keyof PatchBotsByBotIdResponses];

export type PostBotsByBotIdApiKeyRegenerateData = {
    body?: never;
    path: {
        /**
         * ID of the bot.
         */
        bot_id: number;
    };
    query?: never;
    url: '/api/v1/bots/{bot_id}/api_key/regenerate';
};

export type PostBotsByBotIdApiKeyRegenerateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostBotsByBotIdApiKeyRegenerateError = PostBotsByBotIdApiKeyRegenerateErrors[keyof PostBotsByBotIdApiKeyRegenerateErrors];

export type PostBotsByBotIdApiKeyRegenerateResponses = {
    /**
     * Success
     */
    200: Success & {
        api_key: string;
    };
};

export type PostBotsByBotIdApiKeyRegenerateResponse = PostBotsByBotIdApiKeyRegenerateResponses[keyof PostBotsByBotIdApiKeyRegenerateResponses];

export type DeleteBotStorageData = {
    body?: {
        /**
         * All keys when absent.
         */
        keys?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/bot_storage';
};

export type DeleteBotStorageErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteBotStorageError = DeleteBotStorageErrors[keyof DeleteBotStorageErrors];

export type DeleteBotStorageResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteBotStorageResponse = DeleteBotStorageResponses[keyof DeleteBotStorageResponses];

export type GetBotStorageData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * All keys when absent.
         */
        keys?: Array<string>;
    };
    url: '/api/v1/bot_storage';
};

export type GetBotStorageErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetBotStorageError = GetBotStorageErrors[keyof GetBotStorageErrors];

export type GetBotStorageResponses = {
    /**
     * Success
     */
    200: Success & {
        storage: {
            [key: string]: string;
        };
    };
};

export type GetBotStorageResponse = GetBotStorageResponses[keyof GetBotStorageResponses];

export type PutBotStorageData = {
    body: {
        /**
         * Texts by key.
         */
        storage: {
            [key: string]: unknown | string;
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/bot_storage';
};

export type PutBotStorageErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PutBotStorageError = PutBotStorageErrors[keyof PutBotStorageErrors];

export type PutBotStorageResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PutBotStorageResponse = PutBotStorageResponses[keyof PutBotStorageResponses];

export type GetUserGroupsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Also as `allow_deactivated`.
         */
        include_deactivated_groups?: boolean;
    };
    url: '/api/v1/user_groups';
};

export type GetUserGroupsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUserGroupsError = GetUserGroupsErrors[keyof GetUserGroupsErrors];

export type GetUserGroupsResponses = {
    /**
     * Success
     */
    200: Success & {
        user_groups: Array<UserGroup>;
    };
};

export type GetUserGroupsResponse = GetUserGroupsResponses[keyof GetUserGroupsResponses];

export type PostUserGroupsCreateData = {
    body: {
        /**
         * Its name.
         */
        name: string;
        /**
         * A description, in Markdown where it is shown rendered.
         */
        description: string;
        /**
         * IDs of the members.
         */
        members: Array<number>;
        /**
         * IDs of the subgroups.
         */
        subgroups?: Array<number>;
        /**
         * Who may add members.
         */
        can_add_members_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may join it.
         */
        can_join_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may leave it.
         */
        can_leave_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may change it.
         */
        can_manage_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may mention it.
         */
        can_mention_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may remove members.
         */
        can_remove_members_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
    };
    path?: never;
    query?: never;
    url: '/api/v1/user_groups/create';
};

export type PostUserGroupsCreateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUserGroupsCreateError = PostUserGroupsCreateErrors[keyof PostUserGroupsCreateErrors];

export type PostUserGroupsCreateResponses = {
    /**
     * Success
     */
    200: Success & {
        group_id: number;
    };
};

export type PostUserGroupsCreateResponse = PostUserGroupsCreateResponses[keyof PostUserGroupsCreateResponses];

export type PatchUserGroupsByUserGroupIdData = {
    body?: {
        /**
         * Its name.
         */
        name?: string;
        /**
         * A description, in Markdown where it is shown rendered.
         */
        description?: string;
        /**
         * `false` reactivates the group.
         */
        deactivated?: boolean;
        /**
         * Who may add members.
         */
        can_add_members_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may join it.
         */
        can_join_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may leave it.
         */
        can_leave_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may change it.
         */
        can_manage_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may mention it.
         */
        can_mention_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may remove members.
         */
        can_remove_members_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
    };
    path: {
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: never;
    url: '/api/v1/user_groups/{user_group_id}';
};

export type PatchUserGroupsByUserGroupIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchUserGroupsByUserGroupIdError = PatchUserGroupsByUserGroupIdErrors[keyof PatchUserGroupsByUserGroupIdErrors];

export type PatchUserGroupsByUserGroupIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchUserGroupsByUserGroupIdResponse = PatchUserGroupsByUserGroupIdResponses[keyof PatchUserGroupsByUserGroupIdResponses];

export type PostUserGroupsByUserGroupIdDeactivateData = {
    body?: never;
    path: {
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: never;
    url: '/api/v1/user_groups/{user_group_id}/deactivate';
};

export type PostUserGroupsByUserGroupIdDeactivateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUserGroupsByUserGroupIdDeactivateError = PostUserGroupsByUserGroupIdDeactivateErrors[keyof PostUserGroupsByUserGroupIdDeactivateErrors];

export type PostUserGroupsByUserGroupIdDeactivateResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUserGroupsByUserGroupIdDeactivateResponse = PostUserGroupsByUserGroupIdDeactivateResponses[keyof PostUserGroupsByUserGroupIdDeactivateResponses];

export type GetUserGroupsByUserGroupIdMembersData = {
    body?: never;
    path: {
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: {
        /**
         * Direct members alone.
         */
        direct_member_only?: boolean;
    };
    url: '/api/v1/user_groups/{user_group_id}/members';
};

export type GetUserGroupsByUserGroupIdMembersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUserGroupsByUserGroupIdMembersError = GetUserGroupsByUserGroupIdMembersErrors[keyof GetUserGroupsByUserGroupIdMembersErrors];

export type GetUserGroupsByUserGroupIdMembersResponses = {
    /**
     * Success
     */
    200: Success & {
        members: Array<number>;
    };
};

export type GetUserGroupsByUserGroupIdMembersResponse = GetUserGroupsByUserGroupIdMembersResponses[keyof GetUserGroupsByUserGroupIdMembersResponses];

export type PostUserGroupsByUserGroupIdMembersData = {
    body?: {
        /**
         * What to add.
         */
        add?: Array<number>;
        /**
         * What to remove.
         */
        delete?: Array<number>;
        /**
         * IDs of groups that become subgroups.
         */
        add_subgroups?: Array<number>;
        /**
         * IDs of subgroups to remove.
         */
        delete_subgroups?: Array<number>;
    };
    path: {
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: never;
    url: '/api/v1/user_groups/{user_group_id}/members';
};

export type PostUserGroupsByUserGroupIdMembersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUserGroupsByUserGroupIdMembersError = PostUserGroupsByUserGroupIdMembersErrors[keyof PostUserGroupsByUserGroupIdMembersErrors];

export type PostUserGroupsByUserGroupIdMembersResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUserGroupsByUserGroupIdMembersResponse = PostUserGroupsByUserGroupIdMembersResponses[keyof PostUserGroupsByUserGroupIdMembersResponses];

export type GetUserGroupsByUserGroupIdMembersByUserIdData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: number;
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: {
        /**
         * Direct members alone.
         */
        direct_member_only?: boolean;
    };
    url: '/api/v1/user_groups/{user_group_id}/members/{user_id}';
};

export type GetUserGroupsByUserGroupIdMembersByUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUserGroupsByUserGroupIdMembersByUserIdError = GetUserGroupsByUserGroupIdMembersByUserIdErrors[keyof GetUserGroupsByUserGroupIdMembersByUserIdErrors];

export type GetUserGroupsByUserGroupIdMembersByUserIdResponses = {
    /**
     * Success
     */
    200: Success & {
        is_user_group_member: boolean;
    };
};

export type GetUserGroupsByUserGroupIdMembersByUserIdResponse = GetUserGroupsByUserGroupIdMembersByUserIdResponses[keyof GetUserGroupsByUserGroupIdMembersByUserIdResponses];

export type GetUserGroupsByUserGroupIdSubgroupsData = {
    body?: never;
    path: {
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: {
        /**
         * Direct subgroups alone.
         */
        direct_subgroup_only?: boolean;
    };
    url: '/api/v1/user_groups/{user_group_id}/subgroups';
};

export type GetUserGroupsByUserGroupIdSubgroupsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUserGroupsByUserGroupIdSubgroupsError = GetUserGroupsByUserGroupIdSubgroupsErrors[keyof GetUserGroupsByUserGroupIdSubgroupsErrors];

export type GetUserGroupsByUserGroupIdSubgroupsResponses = {
    /**
     * Success
     */
    200: Success & {
        subgroups: Array<number>;
    };
};

export type GetUserGroupsByUserGroupIdSubgroupsResponse = GetUserGroupsByUserGroupIdSubgroupsResponses[keyof GetUserGroupsByUserGroupIdSubgroupsResponses];

export type PostUserGroupsByUserGroupIdSubgroupsData = {
    body?: {
        /**
         * What to add.
         */
        add?: Array<number>;
        /**
         * What to remove.
         */
        delete?: Array<number>;
    };
    path: {
        /**
         * ID of the group.
         */
        user_group_id: number;
    };
    query?: never;
    url: '/api/v1/user_groups/{user_group_id}/subgroups';
};

export type PostUserGroupsByUserGroupIdSubgroupsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUserGroupsByUserGroupIdSubgroupsError = PostUserGroupsByUserGroupIdSubgroupsErrors[keyof PostUserGroupsByUserGroupIdSubgroupsErrors];

export type PostUserGroupsByUserGroupIdSubgroupsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUserGroupsByUserGroupIdSubgroupsResponse = PostUserGroupsByUserGroupIdSubgroupsResponses[keyof PostUserGroupsByUserGroupIdSubgroupsResponses];

export type DeleteStreamsByStreamIdData = {
    body?: never;
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: never;
    url: '/api/v1/streams/{stream_id}';
};

export type DeleteStreamsByStreamIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteStreamsByStreamIdError = DeleteStreamsByStreamIdErrors[keyof DeleteStreamsByStreamIdErrors];

export type DeleteStreamsByStreamIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteStreamsByStreamIdResponse = DeleteStreamsByStreamIdResponses[keyof DeleteStreamsByStreamIdResponses];

export type GetStreamsByStreamIdData = {
    body?: never;
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: never;
    url: '/api/v1/streams/{stream_id}';
};

export type GetStreamsByStreamIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetStreamsByStreamIdError = GetStreamsByStreamIdErrors[keyof GetStreamsByStreamIdErrors];

export type GetStreamsByStreamIdResponses = {
    /**
     * Success
     */
    200: Success & {
        stream: Channel;
    };
};

export type GetStreamsByStreamIdResponse = GetStreamsByStreamIdResponses[keyof GetStreamsByStreamIdResponses];

export type PatchStreamsByStreamIdData = {
    body?: {
        /**
         * The new name.
         */
        new_name?: string;
        /**
         * A description, in Markdown where it is shown rendered.
         */
        description?: string;
        /**
         * Only subscribers and those whom they add know the content.
         */
        is_private?: boolean;
        /**
         * People without an account may read it.
         */
        is_web_public?: boolean;
        /**
         * New subscribers may read what was sent before.
         */
        history_public_to_subscribers?: boolean;
        /**
         * New users are subscribed to it.
         */
        is_default_stream?: boolean;
        /**
         * `false` unarchives the channel.
         */
        is_archived?: boolean;
        /**
         * Clients: days that messages are kept.
         */
        message_retention_days?: number | string | string;
        /**
         * `null` takes the channel out of its folder.
         */
        folder_id?: number | null;
        /**
         * Whether messages need a topic.
         */
        topics_policy?: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
        /**
         * Who may subscribe others.
         */
        can_add_subscribers_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may change the channel.
         */
        can_administer_channel_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may begin topics.
         */
        can_create_topic_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may delete any message.
         */
        can_delete_any_message_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may delete messages of their own.
         */
        can_delete_own_message_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may move messages out of the channel.
         */
        can_move_messages_out_of_channel_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may move messages within the channel.
         */
        can_move_messages_within_channel_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may unsubscribe others.
         */
        can_remove_subscribers_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may resolve topics.
         */
        can_resolve_topics_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may send to the channel.
         */
        can_send_message_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
        /**
         * Who may subscribe themselves.
         */
        can_subscribe_group?: {
            new: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            };
            old?: number | {
                direct_members: Array<number>;
                direct_subgroups: Array<number>;
            } | null;
        };
    };
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: never;
    url: '/api/v1/streams/{stream_id}';
};

export type PatchStreamsByStreamIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchStreamsByStreamIdError = PatchStreamsByStreamIdErrors[keyof PatchStreamsByStreamIdErrors];

export type PatchStreamsByStreamIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchStreamsByStreamIdResponse = PatchStreamsByStreamIdResponses[keyof PatchStreamsByStreamIdResponses];

export type GetStreamsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Channels that are public.
         */
        include_public?: boolean;
        /**
         * Channels that people without an account may read.
         */
        include_web_public?: boolean;
        /**
         * Channels that the caller subscribes to.
         */
        include_subscribed?: boolean;
        /**
         * Leaves out archived channels.
         */
        exclude_archived?: boolean;
        /**
         * All channels that the caller may know.
         */
        include_all?: boolean;
        /**
         * The older spelling of `include_all`, for administrators.
         */
        include_all_active?: boolean;
        /**
         * Default channels; adds `is_default` to each.
         */
        include_default?: boolean;
        /**
         * Channels that a bot's owner subscribes to.
         */
        include_owner_subscribed?: boolean;
        /**
         * Channels whose content the caller may read.
         */
        include_can_access_content?: boolean;
    };
    url: '/api/v1/streams';
};

export type GetStreamsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetStreamsError = GetStreamsErrors[keyof GetStreamsErrors];

export type GetStreamsResponses = {
    /**
     * Success
     */
    200: Success & {
        streams: Array<{
            stream_id: number;
            name: string;
            is_archived: boolean;
            /**
             * Markdown.
             */
            description: string;
            /**
             * HTML.
             */
            rendered_description: string;
            /**
             * Seconds since the epoch.
             */
            date_created: number;
            creator_id: number | null;
            invite_only: boolean;
            is_web_public: boolean;
            /**
             * The older form of can_send_message_group.
             */
            stream_post_policy: number;
            /**
             * The oldest form of can_send_message_group.
             */
            is_announcement_only: boolean;
            message_retention_days: number | null;
            history_public_to_subscribers: boolean;
            topics_policy: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
            first_message_id: number | null;
            folder_id: number | null;
            is_recently_active: boolean;
            stream_weekly_traffic: number | null;
            subscriber_count: number;
            can_add_subscribers_group: GroupSetting;
            can_administer_channel_group: GroupSetting;
            can_create_topic_group: GroupSetting;
            can_delete_any_message_group: GroupSetting;
            can_delete_own_message_group: GroupSetting;
            can_move_messages_out_of_channel_group: GroupSetting;
            can_move_messages_within_channel_group: GroupSetting;
            can_remove_subscribers_group: GroupSetting;
            can_resolve_topics_group: GroupSetting;
            can_send_message_group: GroupSetting;
            can_subscribe_group: GroupSetting;
            /**
             * With include_default.
             */
            is_default?: boolean;
        }>;
    };
};

export type GetStreamsResponse = GetStreamsResponses[keyof GetStreamsResponses];

export type PostChannelsCreateData = {
    body: {
        /**
         * Tell of new channels in the channel for announcements.
         */
        announce?: boolean;
        /**
         * Tell people that they were subscribed.
         */
        send_new_subscription_messages?: boolean;
        /**
         * New channels are private.
         */
        invite_only?: boolean;
        /**
         * People without an account may read it.
         */
        is_web_public?: boolean;
        /**
         * New users are subscribed to it.
         */
        is_default_stream?: boolean;
        /**
         * New subscribers may read what was sent before.
         */
        history_public_to_subscribers?: boolean;
        /**
         * Clients: days that messages are kept.
         */
        message_retention_days?: number | string | string;
        /**
         * Whether messages need a topic.
         */
        topics_policy?: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
        /**
         * ID of the channel folder.
         */
        folder_id?: number | null;
        /**
         * Who may subscribe others.
         */
        can_add_subscribers_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may change the channel.
         */
        can_administer_channel_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may begin topics.
         */
        can_create_topic_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may delete any message.
         */
        can_delete_any_message_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may delete messages of their own.
         */
        can_delete_own_message_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may move messages out of the channel.
         */
        can_move_messages_out_of_channel_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may move messages within the channel.
         */
        can_move_messages_within_channel_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may unsubscribe others.
         */
        can_remove_subscribers_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may resolve topics.
         */
        can_resolve_topics_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may send to the channel.
         */
        can_send_message_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may subscribe themselves.
         */
        can_subscribe_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Its name.
         */
        name: string;
        /**
         * A description, in Markdown where it is shown rendered.
         */
        description?: string;
        /**
         * IDs of the first subscribers.
         */
        subscribers: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/channels/create';
};

export type PostChannelsCreateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostChannelsCreateError = PostChannelsCreateErrors[keyof PostChannelsCreateErrors];

export type PostChannelsCreateResponses = {
    /**
     * Success
     */
    200: Success & {
        id: number;
    };
};

export type PostChannelsCreateResponse = PostChannelsCreateResponses[keyof PostChannelsCreateResponses];

export type GetGetStreamIdData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Name of the channel.
         */
        stream: string;
    };
    url: '/api/v1/get_stream_id';
};

export type GetGetStreamIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetGetStreamIdError = GetGetStreamIdErrors[keyof GetGetStreamIdErrors];

export type GetGetStreamIdResponses = {
    /**
     * Success
     */
    200: Success & {
        stream_id: number;
    };
};

export type GetGetStreamIdResponse = GetGetStreamIdResponses[keyof GetGetStreamIdResponses];

export type GetStreamsByStreamIdEmailAddressData = {
    body?: never;
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: {
        /**
         * The caller, one of their bots, or the bot for e-mail.
         */
        sender_id?: number;
    };
    url: '/api/v1/streams/{stream_id}/email_address';
};

export type GetStreamsByStreamIdEmailAddressErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetStreamsByStreamIdEmailAddressError = GetStreamsByStreamIdEmailAddressErrors[keyof GetStreamsByStreamIdEmailAddressErrors];

export type GetStreamsByStreamIdEmailAddressResponses = {
    /**
     * Success
     */
    200: Success & {
        email: string;
    };
};

export type GetStreamsByStreamIdEmailAddressResponse = GetStreamsByStreamIdEmailAddressResponses[keyof GetStreamsByStreamIdEmailAddressResponses];

export type GetStreamsByStreamIdMembersData = {
    body?: never;
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: never;
    url: '/api/v1/streams/{stream_id}/members';
};

export type GetStreamsByStreamIdMembersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetStreamsByStreamIdMembersError = GetStreamsByStreamIdMembersErrors[keyof GetStreamsByStreamIdMembersErrors];

export type GetStreamsByStreamIdMembersResponses = {
    /**
     * Success
     */
    200: Success & {
        subscribers: Array<number>;
    };
};

export type GetStreamsByStreamIdMembersResponse = GetStreamsByStreamIdMembersResponses[keyof GetStreamsByStreamIdMembersResponses];

export type GetUsersByUserIdChannelsData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: number;
    };
    query?: never;
    url: '/api/v1/users/{user_id}/channels';
};

export type GetUsersByUserIdChannelsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersByUserIdChannelsError = GetUsersByUserIdChannelsErrors[keyof GetUsersByUserIdChannelsErrors];

export type GetUsersByUserIdChannelsResponses = {
    /**
     * Success
     */
    200: Success & {
        subscribed_channel_ids: Array<number>;
    };
};

export type GetUsersByUserIdChannelsResponse = GetUsersByUserIdChannelsResponses[keyof GetUsersByUserIdChannelsResponses];

export type GetUsersByUserIdSubscriptionsByStreamIdData = {
    body?: never;
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
        /**
         * ID of the user.
         */
        user_id: number;
    };
    query?: never;
    url: '/api/v1/users/{user_id}/subscriptions/{stream_id}';
};

export type GetUsersByUserIdSubscriptionsByStreamIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersByUserIdSubscriptionsByStreamIdError = GetUsersByUserIdSubscriptionsByStreamIdErrors[keyof GetUsersByUserIdSubscriptionsByStreamIdErrors];

export type GetUsersByUserIdSubscriptionsByStreamIdResponses = {
    /**
     * Success
     */
    200: Success & {
        is_subscribed: boolean;
    };
};

export type GetUsersByUserIdSubscriptionsByStreamIdResponse = GetUsersByUserIdSubscriptionsByStreamIdResponses[keyof GetUsersByUserIdSubscriptionsByStreamIdResponses];

export type DeleteDefaultStreamsData = {
    body: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/default_streams';
};

export type DeleteDefaultStreamsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteDefaultStreamsError = DeleteDefaultStreamsErrors[keyof DeleteDefaultStreamsErrors];

export type DeleteDefaultStreamsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteDefaultStreamsResponse = DeleteDefaultStreamsResponses[keyof DeleteDefaultStreamsResponses];

export type PostDefaultStreamsData = {
    body: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/default_streams';
};

export type PostDefaultStreamsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostDefaultStreamsError = PostDefaultStreamsErrors[keyof PostDefaultStreamsErrors];

export type PostDefaultStreamsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostDefaultStreamsResponse = PostDefaultStreamsResponses[keyof PostDefaultStreamsResponses];

export type PostDefaultStreamGroupsCreateData = {
    body: {
        /**
         * Name of the group.
         */
        group_name: string;
        /**
         * A description, in Markdown where it is shown rendered.
         */
        description: string;
        /**
         * Names of channels.
         */
        stream_names: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/default_stream_groups/create';
};

export type PostDefaultStreamGroupsCreateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostDefaultStreamGroupsCreateError = PostDefaultStreamGroupsCreateErrors[keyof PostDefaultStreamGroupsCreateErrors];

export type PostDefaultStreamGroupsCreateResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostDefaultStreamGroupsCreateResponse = PostDefaultStreamGroupsCreateResponses[keyof PostDefaultStreamGroupsCreateResponses];

export type DeleteDefaultStreamGroupsByGroupIdData = {
    body?: never;
    path: {
        /**
         * ID of the group.
         */
        group_id: number;
    };
    query?: never;
    url: '/api/v1/default_stream_groups/{group_id}';
};

export type DeleteDefaultStreamGroupsByGroupIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteDefaultStreamGroupsByGroupIdError = DeleteDefaultStreamGroupsByGroupIdErrors[keyof DeleteDefaultStreamGroupsByGroupIdErrors];

export type DeleteDefaultStreamGroupsByGroupIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteDefaultStreamGroupsByGroupIdResponse = DeleteDefaultStreamGroupsByGroupIdResponses[keyof DeleteDefaultStreamGroupsByGroupIdResponses];

export type PatchDefaultStreamGroupsByGroupIdData = {
    body?: {
        /**
         * The new name.
         */
        new_group_name?: string;
        /**
         * The new description.
         */
        new_description?: string;
    };
    path: {
        /**
         * ID of the group.
         */
        group_id: number;
    };
    query?: never;
    url: '/api/v1/default_stream_groups/{group_id}';
};

export type PatchDefaultStreamGroupsByGroupIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchDefaultStreamGroupsByGroupIdError = PatchDefaultStreamGroupsByGroupIdErrors[keyof PatchDefaultStreamGroupsByGroupIdErrors];

export type PatchDefaultStreamGroupsByGroupIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchDefaultStreamGroupsByGroupIdResponse = PatchDefaultStreamGroupsByGroupIdResponses[keyof PatchDefaultStreamGroupsByGroupIdResponses];

export type PatchDefaultStreamGroupsByGroupIdStreamsData = {
    body: {
        /**
         * What to do.
         */
        op: 'add' | 'remove';
        /**
         * Names of channels.
         */
        stream_names: Array<string>;
    };
    path: {
        /**
         * ID of the group.
         */
        group_id: number;
    };
    query?: never;
    url: '/api/v1/default_stream_groups/{group_id}/streams';
};

export type PatchDefaultStreamGroupsByGroupIdStreamsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchDefaultStreamGroupsByGroupIdStreamsError = PatchDefaultStreamGroupsByGroupIdStreamsErrors[keyof PatchDefaultStreamGroupsByGroupIdStreamsErrors];

export type PatchDefaultStreamGroupsByGroupIdStreamsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchDefaultStreamGroupsByGroupIdStreamsResponse = PatchDefaultStreamGroupsByGroupIdStreamsResponses[keyof PatchDefaultStreamGroupsByGroupIdStreamsResponses];

export type GetChannelFoldersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Archived ones as well.
         */
        include_archived?: boolean;
    };
    url: '/api/v1/channel_folders';
};

export type GetChannelFoldersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetChannelFoldersError = GetChannelFoldersErrors[keyof GetChannelFoldersErrors];

export type GetChannelFoldersResponses = {
    /**
     * Success
     */
    200: Success & {
        channel_folders: Array<ChannelFolder>;
    };
};

export type GetChannelFoldersResponse = GetChannelFoldersResponses[keyof GetChannelFoldersResponses];

export type PatchChannelFoldersData = {
    body: {
        /**
         * All IDs, archived folders included, in the new order.
         */
        order: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/channel_folders';
};

export type PatchChannelFoldersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchChannelFoldersError = PatchChannelFoldersErrors[keyof PatchChannelFoldersErrors];

export type PatchChannelFoldersResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchChannelFoldersResponse = PatchChannelFoldersResponses[keyof PatchChannelFoldersResponses];

export type PostChannelFoldersCreateData = {
    body: {
        /**
         * Its name.
         */
        name: string;
        /**
         * Markdown; may be empty.
         */
        description: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/channel_folders/create';
};

export type PostChannelFoldersCreateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostChannelFoldersCreateError = PostChannelFoldersCreateErrors[keyof PostChannelFoldersCreateErrors];

export type PostChannelFoldersCreateResponses = {
    /**
     * Success
     */
    200: Success & {
        channel_folder_id: number;
    };
};

export type PostChannelFoldersCreateResponse = PostChannelFoldersCreateResponses[keyof PostChannelFoldersCreateResponses];

export type PatchChannelFoldersByChannelFolderIdData = {
    body?: {
        /**
         * Its name.
         */
        name?: string;
        /**
         * A description, in Markdown where it is shown rendered.
         */
        description?: string;
        /**
         * Whether it is archived.
         */
        is_archived?: boolean;
    };
    path: {
        /**
         * ID of the channel folder.
         */
        channel_folder_id: number;
    };
    query?: never;
    url: '/api/v1/channel_folders/{channel_folder_id}';
};

export type PatchChannelFoldersByChannelFolderIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchChannelFoldersByChannelFolderIdError = PatchChannelFoldersByChannelFolderIdErrors[keyof PatchChannelFoldersByChannelFolderIdErrors];

export type PatchChannelFoldersByChannelFolderIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchChannelFoldersByChannelFolderIdResponse = PatchChannelFoldersByChannelFolderIdResponses[keyof PatchChannelFoldersByChannelFolderIdResponses];

export type DeleteUsersMeSubscriptionsData = {
    body: {
        /**
         * The channels, by name.
         */
        subscriptions: Array<string> | string;
        /**
         * Whom it concerns, by ID or address; the caller by default.
         */
        principals?: Array<number> | Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/subscriptions';
};

export type DeleteUsersMeSubscriptionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeSubscriptionsError = DeleteUsersMeSubscriptionsErrors[keyof DeleteUsersMeSubscriptionsErrors];

export type DeleteUsersMeSubscriptionsResponses = {
    /**
     * Success
     */
    200: Success & {
        removed: Array<string>;
        not_removed: Array<string>;
    };
};

export type DeleteUsersMeSubscriptionsResponse = DeleteUsersMeSubscriptionsResponses[keyof DeleteUsersMeSubscriptionsResponses];

export type GetUsersMeSubscriptionsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Whether channels list their subscribers: `true`, `false`, or `partial` for those of large channels who are active.
         */
        include_subscribers?: 'true' | 'false' | 'partial';
    };
    url: '/api/v1/users/me/subscriptions';
};

export type GetUsersMeSubscriptionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersMeSubscriptionsError = GetUsersMeSubscriptionsErrors[keyof GetUsersMeSubscriptionsErrors];

export type GetUsersMeSubscriptionsResponses = {
    /**
     * Success
     */
    200: Success & {
        subscriptions: Array<Subscription>;
    };
};

export type GetUsersMeSubscriptionsResponse = GetUsersMeSubscriptionsResponses[keyof GetUsersMeSubscriptionsResponses];

export type PatchUsersMeSubscriptionsData = {
    body?: {
        /**
         * What to add.
         */
        add?: Array<{
            name: string;
            description?: string;
            color?: string;
        }>;
        /**
         * What to remove.
         */
        delete?: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/subscriptions';
};

export type PatchUsersMeSubscriptionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchUsersMeSubscriptionsError = PatchUsersMeSubscriptionsErrors[keyof PatchUsersMeSubscriptionsErrors];

export type PatchUsersMeSubscriptionsResponses = {
    /**
     * Success
     */
    200: Success & {
        /**
         * Names of channels by user ID.
         */
        subscribed: {
            [key: string]: Array<string>;
        };
        /**
         * Names of channels by user ID.
         */
        already_subscribed: {
            [key: string]: Array<string>;
        };
        new_subscription_messages_sent: boolean;
        removed: Array<string>;
        not_removed: Array<string>;
    };
};

export type PatchUsersMeSubscriptionsResponse = PatchUsersMeSubscriptionsResponses[keyof PatchUsersMeSubscriptionsResponses];

export type PostUsersMeSubscriptionsData = {
    body: {
        /**
         * Tell of new channels in the channel for announcements.
         */
        announce?: boolean;
        /**
         * Tell people that they were subscribed.
         */
        send_new_subscription_messages?: boolean;
        /**
         * New channels are private.
         */
        invite_only?: boolean;
        /**
         * People without an account may read it.
         */
        is_web_public?: boolean;
        /**
         * New users are subscribed to it.
         */
        is_default_stream?: boolean;
        /**
         * New subscribers may read what was sent before.
         */
        history_public_to_subscribers?: boolean;
        /**
         * Clients: days that messages are kept.
         */
        message_retention_days?: number | string | string;
        /**
         * Whether messages need a topic.
         */
        topics_policy?: 'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';
        /**
         * ID of the channel folder.
         */
        folder_id?: number | null;
        /**
         * Who may subscribe others.
         */
        can_add_subscribers_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may change the channel.
         */
        can_administer_channel_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may begin topics.
         */
        can_create_topic_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may delete any message.
         */
        can_delete_any_message_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may delete messages of their own.
         */
        can_delete_own_message_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may move messages out of the channel.
         */
        can_move_messages_out_of_channel_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may move messages within the channel.
         */
        can_move_messages_within_channel_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may unsubscribe others.
         */
        can_remove_subscribers_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may resolve topics.
         */
        can_resolve_topics_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may send to the channel.
         */
        can_send_message_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * Who may subscribe themselves.
         */
        can_subscribe_group?: number | {
            direct_members: Array<number>;
            direct_subgroups: Array<number>;
        };
        /**
         * The channels, by name.
         */
        subscriptions: Array<{
            name: string;
            description?: string;
            color?: string;
        }>;
        /**
         * Whom it concerns, by ID or address; the caller by default.
         */
        principals?: Array<number> | Array<string>;
        /**
         * Refuse everything where one channel is refused.
         */
        authorization_errors_fatal?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/subscriptions';
};

export type PostUsersMeSubscriptionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeSubscriptionsError = PostUsersMeSubscriptionsErrors[keyof PostUsersMeSubscriptionsErrors];

export type PostUsersMeSubscriptionsResponses = {
    /**
     * Success
     */
    200: Success & {
        /**
         * Names of channels by user ID.
         */
        subscribed: {
            [key: string]: Array<string>;
        };
        /**
         * Names of channels by user ID.
         */
        already_subscribed: {
            [key: string]: Array<string>;
        };
        /**
         * With authorization_errors_fatal=false.
         */
        unauthorized?: Array<string>;
        new_subscription_messages_sent?: boolean;
    };
};

export type PostUsersMeSubscriptionsResponse = PostUsersMeSubscriptionsResponses[keyof PostUsersMeSubscriptionsResponses];

export type PostUsersMeSubscriptionsPropertiesData = {
    body: {
        /**
         * Settings, each with the channel and the value.
         */
        subscription_data: Array<{
            stream_id: number;
            property: string;
            value: boolean | string;
        }>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/subscriptions/properties';
};

export type PostUsersMeSubscriptionsPropertiesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeSubscriptionsPropertiesError = PostUsersMeSubscriptionsPropertiesErrors[keyof PostUsersMeSubscriptionsPropertiesErrors];

export type PostUsersMeSubscriptionsPropertiesResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMeSubscriptionsPropertiesResponse = PostUsersMeSubscriptionsPropertiesResponses[keyof PostUsersMeSubscriptionsPropertiesResponses];

export type PatchUsersMeSubscriptionsByStreamIdData = {
    body: {
        /**
         * Name of the setting.
         */
        property: string;
        /**
         * JSON; a colour also as plain text.
         */
        value: boolean | string | string;
    };
    path: {
        /**
         * ID of the channel.
         */
        stream_id: number;
    };
    query?: never;
    url: '/api/v1/users/me/subscriptions/{stream_id}';
};

export type PatchUsersMeSubscriptionsByStreamIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchUsersMeSubscriptionsByStreamIdError = PatchUsersMeSubscriptionsByStreamIdErrors[keyof PatchUsersMeSubscriptionsByStreamIdErrors];

export type PatchUsersMeSubscriptionsByStreamIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchUsersMeSubscriptionsByStreamIdResponse = PatchUsersMeSubscriptionsByStreamIdResponses[keyof PatchUsersMeSubscriptionsByStreamIdResponses];

export type DeleteUsersMeAlertWordsData = {
    body: {
        /**
         * The words.
         */
        alert_words: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/alert_words';
};

export type DeleteUsersMeAlertWordsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeAlertWordsError = DeleteUsersMeAlertWordsErrors[keyof DeleteUsersMeAlertWordsErrors];

export type DeleteUsersMeAlertWordsResponses = {
    /**
     * Success
     */
    200: Success & {
        alert_words: Array<string>;
    };
};

export type DeleteUsersMeAlertWordsResponse = DeleteUsersMeAlertWordsResponses[keyof DeleteUsersMeAlertWordsResponses];

export type GetUsersMeAlertWordsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/users/me/alert_words';
};

export type GetUsersMeAlertWordsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersMeAlertWordsError = GetUsersMeAlertWordsErrors[keyof GetUsersMeAlertWordsErrors];

export type GetUsersMeAlertWordsResponses = {
    /**
     * Success
     */
    200: Success & {
        alert_words: Array<string>;
    };
};

export type GetUsersMeAlertWordsResponse = GetUsersMeAlertWordsResponses[keyof GetUsersMeAlertWordsResponses];

export type PostUsersMeAlertWordsData = {
    body: {
        /**
         * The words.
         */
        alert_words: Array<string>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/alert_words';
};

export type PostUsersMeAlertWordsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeAlertWordsError = PostUsersMeAlertWordsErrors[keyof PostUsersMeAlertWordsErrors];

export type PostUsersMeAlertWordsResponses = {
    /**
     * Success
     */
    200: Success & {
        alert_words: Array<string>;
    };
};

export type PostUsersMeAlertWordsResponse = PostUsersMeAlertWordsResponses[keyof PostUsersMeAlertWordsResponses];

export type DeleteUsersMeMutedUsersByMutedUserIdData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        muted_user_id: number;
    };
    query?: never;
    url: '/api/v1/users/me/muted_users/{muted_user_id}';
};

export type DeleteUsersMeMutedUsersByMutedUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeMutedUsersByMutedUserIdError = DeleteUsersMeMutedUsersByMutedUserIdErrors[keyof DeleteUsersMeMutedUsersByMutedUserIdErrors];

export type DeleteUsersMeMutedUsersByMutedUserIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersMeMutedUsersByMutedUserIdResponse = DeleteUsersMeMutedUsersByMutedUserIdResponses[keyof DeleteUsersMeMutedUsersByMutedUserIdResponses];

export type PostUsersMeMutedUsersByMutedUserIdData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        muted_user_id: number;
    };
    query?: never;
    url: '/api/v1/users/me/muted_users/{muted_user_id}';
};

export type PostUsersMeMutedUsersByMutedUserIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeMutedUsersByMutedUserIdError = PostUsersMeMutedUsersByMutedUserIdErrors[keyof PostUsersMeMutedUsersByMutedUserIdErrors];

export type PostUsersMeMutedUsersByMutedUserIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMeMutedUsersByMutedUserIdResponse = PostUsersMeMutedUsersByMutedUserIdResponses[keyof PostUsersMeMutedUsersByMutedUserIdResponses];

export type PostUsersMeOnboardingStepsData = {
    body: {
        /**
         * Name of the step.
         */
        onboarding_step: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/onboarding_steps';
};

export type PostUsersMeOnboardingStepsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeOnboardingStepsError = PostUsersMeOnboardingStepsErrors[keyof PostUsersMeOnboardingStepsErrors];

export type PostUsersMeOnboardingStepsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMeOnboardingStepsResponse = PostUsersMeOnboardingStepsResponses[keyof PostUsersMeOnboardingStepsResponses];

export type PatchSettingsData = {
    body?: {
        /**
         * Clients: show times as 16:00 and not as 4:00 PM.
         */
        twenty_four_hour_time?: boolean;
        /**
         * Clients: show the number of starred messages.
         */
        starred_message_counts?: boolean;
        /**
         * Clients: name those who reacted, where they are few.
         */
        display_emoji_reaction_users?: boolean;
        /**
         * Clients: pictures of emoji.
         */
        emojiset?: 'google' | 'google-blob' | 'twitter' | 'text';
        /**
         * Others see when the user is active.
         */
        presence_enabled?: boolean;
        /**
         * Clients: group the inbox by channel folders.
         */
        web_inbox_show_channel_folders?: boolean;
        /**
         * Others see when the user types a direct message.
         */
        send_private_typing_notifications?: boolean;
        /**
         * Others see when the user types in a channel.
         */
        send_stream_typing_notifications?: boolean;
        /**
         * The user sees when others type.
         */
        receives_typing_notifications?: boolean;
        /**
         * Clients: show the content of direct messages in notifications.
         */
        pm_content_in_desktop_notifications?: boolean;
        /**
         * Clients: language of the interface.
         */
        default_language?: string;
        /**
         * Clients: colors; 1 as the system, 2 dark, 3 light.
         */
        color_scheme?: 1 | 2 | 3;
        /**
         * Clients: Enter sends a message.
         */
        enter_sends?: boolean;
        /**
         * Clients: use the whole width.
         */
        fluid_layout_width?: boolean;
        /**
         * Clients: high contrast.
         */
        high_contrast_mode?: boolean;
        /**
         * Emoticons such as :) become emoji in messages that the user sends.
         */
        translate_emoticons?: boolean;
        /**
         * Clients: list of users on the left in narrow windows.
         */
        left_side_userlist?: boolean;
        /**
         * Clients: 1 compact, 2 with status, 3 with status and avatar.
         */
        user_list_style?: 1 | 2 | 3;
        /**
         * Clients: put inactive channels last; 1 automatically, 2 always, 3 never.
         */
        demote_inactive_streams?: 1 | 2 | 3;
        /**
         * Clients: hide features that use language models.
         */
        hide_ai_features?: boolean;
        /**
         * Clients: view at the start. Also as `default_view`.
         */
        web_home_view?: 'inbox' | 'recent_topics' | 'all_messages';
        /**
         * Clients: Escape leads to the view at the start.
         */
        web_escape_navigates_to_home_view?: boolean;
        /**
         * Clients: size of text in pixels.
         */
        web_font_size_px?: number;
        /**
         * Clients: height of lines in percent.
         */
        web_line_height_percent?: number;
        /**
         * Clients: scrolling marks as read; 1 always, 2 in conversations, 3 never.
         */
        web_mark_read_on_scroll_policy?: 1 | 2 | 3;
        /**
         * Clients: a click on a channel shows 1 its first topic, 2 its feed, 3 its topics, 4 its first unread topic.
         */
        web_channel_default_view?: 1 | 2 | 3 | 4;
        /**
         * Clients: unread counts of channels; 1 all, 2 those that are not muted, 3 none.
         */
        web_stream_unreads_count_display_policy?: 1 | 2 | 3;
        /**
         * Clients: when images move.
         */
        web_animate_image_previews?: 'always' | 'on_hover' | 'never';
        /**
         * Clients: go to the conversation of a sent message.
         */
        web_navigate_to_sent_message?: boolean;
        /**
         * Clients: offer to change the time zone.
         */
        web_suggest_update_timezone?: boolean;
        /**
         * Clients: show the number of all unread messages.
         */
        web_left_sidebar_unreads_count_summary?: boolean;
        /**
         * Clients: group channels by folders.
         */
        web_left_sidebar_show_channel_folders?: boolean;
        /**
         * Clients: notifications of channel messages.
         */
        enable_stream_desktop_notifications?: boolean;
        /**
         * Mail about channel messages.
         */
        enable_stream_email_notifications?: boolean;
        /**
         * Push notifications of channel messages.
         */
        enable_stream_push_notifications?: boolean;
        /**
         * Clients: sounds for channel messages.
         */
        enable_stream_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions notify like personal ones.
         */
        wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of followed topics.
         */
        enable_followed_topic_desktop_notifications?: boolean;
        /**
         * Mail about followed topics.
         */
        enable_followed_topic_email_notifications?: boolean;
        /**
         * Push notifications of followed topics.
         */
        enable_followed_topic_push_notifications?: boolean;
        /**
         * Clients: sounds for followed topics.
         */
        enable_followed_topic_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions in followed topics notify like personal ones.
         */
        enable_followed_topic_wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of direct messages and mentions.
         */
        enable_desktop_notifications?: boolean;
        /**
         * Clients: sounds for direct messages and mentions.
         */
        enable_sounds?: boolean;
        /**
         * Mail about direct messages and mentions, while the user is away.
         */
        enable_offline_email_notifications?: boolean;
        /**
         * Push notifications of direct messages and mentions.
         */
        enable_offline_push_notifications?: boolean;
        /**
         * Push notifications also while the user is active.
         */
        enable_online_push_notifications?: boolean;
        /**
         * Kept for clients; no e-mail is sent: of what happened.
         */
        enable_digest_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about logins.
         */
        enable_login_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about the product.
         */
        enable_marketing_emails?: boolean;
        /**
         * Mail about missed messages contains them.
         */
        message_content_in_email_notifications?: boolean;
        /**
         * Clients: sound of notifications.
         */
        notification_sound?: 'none' | 'ding' | 'zulip';
        /**
         * Seconds of missed messages that are collected in one mail.
         */
        email_notifications_batching_period_seconds?: number;
        /**
         * Clients: count on the icon; 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.
         */
        desktop_icon_count_display?: 1 | 2 | 3 | 4;
        /**
         * Name of the organization in subjects of mail about missed messages; 1 automatically, which is never, 2 always, 3 never.
         */
        realm_name_in_email_notifications_policy?: 1 | 2 | 3;
        /**
         * The user follows topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
        /**
         * In muted channels the user unmutes topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
        /**
         * The user follows topics in which they are mentioned.
         */
        automatically_follow_topics_where_mentioned?: boolean;
        /**
         * Notices that a topic is resolved arrive read.
         */
        resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
        /**
         * Others see what the user has read.
         */
        send_read_receipts?: boolean;
        /**
         * Exports may include what only the user can read.
         */
        allow_private_data_export?: boolean;
        /**
         * Drafts are kept on the server; switching it off erases them.
         */
        enable_drafts_synchronization?: boolean;
        /**
         * Who sees the e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
         */
        email_address_visibility?: 1 | 2 | 3 | 4 | 5;
        /**
         * Name of the account.
         */
        full_name?: string;
        /**
         * Counts once it is confirmed.
         */
        email?: string;
        /**
         * The password until now.
         */
        old_password?: string;
        /**
         * The password from now on.
         */
        new_password?: string;
        /**
         * IANA name of a time zone.
         */
        timezone?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/settings';
};

export type PatchSettingsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchSettingsError = PatchSettingsErrors[keyof PatchSettingsErrors];

export type PatchSettingsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchSettingsResponse = PatchSettingsResponses[keyof PatchSettingsResponses];

export type PatchSettingsDisplayData = {
    body?: {
        /**
         * Clients: show times as 16:00 and not as 4:00 PM.
         */
        twenty_four_hour_time?: boolean;
        /**
         * Clients: show the number of starred messages.
         */
        starred_message_counts?: boolean;
        /**
         * Clients: name those who reacted, where they are few.
         */
        display_emoji_reaction_users?: boolean;
        /**
         * Clients: pictures of emoji.
         */
        emojiset?: 'google' | 'google-blob' | 'twitter' | 'text';
        /**
         * Others see when the user is active.
         */
        presence_enabled?: boolean;
        /**
         * Clients: group the inbox by channel folders.
         */
        web_inbox_show_channel_folders?: boolean;
        /**
         * Others see when the user types a direct message.
         */
        send_private_typing_notifications?: boolean;
        /**
         * Others see when the user types in a channel.
         */
        send_stream_typing_notifications?: boolean;
        /**
         * The user sees when others type.
         */
        receives_typing_notifications?: boolean;
        /**
         * Clients: show the content of direct messages in notifications.
         */
        pm_content_in_desktop_notifications?: boolean;
        /**
         * Clients: language of the interface.
         */
        default_language?: string;
        /**
         * Clients: colors; 1 as the system, 2 dark, 3 light.
         */
        color_scheme?: 1 | 2 | 3;
        /**
         * Clients: Enter sends a message.
         */
        enter_sends?: boolean;
        /**
         * Clients: use the whole width.
         */
        fluid_layout_width?: boolean;
        /**
         * Clients: high contrast.
         */
        high_contrast_mode?: boolean;
        /**
         * Emoticons such as :) become emoji in messages that the user sends.
         */
        translate_emoticons?: boolean;
        /**
         * Clients: list of users on the left in narrow windows.
         */
        left_side_userlist?: boolean;
        /**
         * Clients: 1 compact, 2 with status, 3 with status and avatar.
         */
        user_list_style?: 1 | 2 | 3;
        /**
         * Clients: put inactive channels last; 1 automatically, 2 always, 3 never.
         */
        demote_inactive_streams?: 1 | 2 | 3;
        /**
         * Clients: hide features that use language models.
         */
        hide_ai_features?: boolean;
        /**
         * Clients: view at the start. Also as `default_view`.
         */
        web_home_view?: 'inbox' | 'recent_topics' | 'all_messages';
        /**
         * Clients: Escape leads to the view at the start.
         */
        web_escape_navigates_to_home_view?: boolean;
        /**
         * Clients: size of text in pixels.
         */
        web_font_size_px?: number;
        /**
         * Clients: height of lines in percent.
         */
        web_line_height_percent?: number;
        /**
         * Clients: scrolling marks as read; 1 always, 2 in conversations, 3 never.
         */
        web_mark_read_on_scroll_policy?: 1 | 2 | 3;
        /**
         * Clients: a click on a channel shows 1 its first topic, 2 its feed, 3 its topics, 4 its first unread topic.
         */
        web_channel_default_view?: 1 | 2 | 3 | 4;
        /**
         * Clients: unread counts of channels; 1 all, 2 those that are not muted, 3 none.
         */
        web_stream_unreads_count_display_policy?: 1 | 2 | 3;
        /**
         * Clients: when images move.
         */
        web_animate_image_previews?: 'always' | 'on_hover' | 'never';
        /**
         * Clients: go to the conversation of a sent message.
         */
        web_navigate_to_sent_message?: boolean;
        /**
         * Clients: offer to change the time zone.
         */
        web_suggest_update_timezone?: boolean;
        /**
         * Clients: show the number of all unread messages.
         */
        web_left_sidebar_unreads_count_summary?: boolean;
        /**
         * Clients: group channels by folders.
         */
        web_left_sidebar_show_channel_folders?: boolean;
        /**
         * Clients: notifications of channel messages.
         */
        enable_stream_desktop_notifications?: boolean;
        /**
         * Mail about channel messages.
         */
        enable_stream_email_notifications?: boolean;
        /**
         * Push notifications of channel messages.
         */
        enable_stream_push_notifications?: boolean;
        /**
         * Clients: sounds for channel messages.
         */
        enable_stream_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions notify like personal ones.
         */
        wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of followed topics.
         */
        enable_followed_topic_desktop_notifications?: boolean;
        /**
         * Mail about followed topics.
         */
        enable_followed_topic_email_notifications?: boolean;
        /**
         * Push notifications of followed topics.
         */
        enable_followed_topic_push_notifications?: boolean;
        /**
         * Clients: sounds for followed topics.
         */
        enable_followed_topic_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions in followed topics notify like personal ones.
         */
        enable_followed_topic_wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of direct messages and mentions.
         */
        enable_desktop_notifications?: boolean;
        /**
         * Clients: sounds for direct messages and mentions.
         */
        enable_sounds?: boolean;
        /**
         * Mail about direct messages and mentions, while the user is away.
         */
        enable_offline_email_notifications?: boolean;
        /**
         * Push notifications of direct messages and mentions.
         */
        enable_offline_push_notifications?: boolean;
        /**
         * Push notifications also while the user is active.
         */
        enable_online_push_notifications?: boolean;
        /**
         * Kept for clients; no e-mail is sent: of what happened.
         */
        enable_digest_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about logins.
         */
        enable_login_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about the product.
         */
        enable_marketing_emails?: boolean;
        /**
         * Mail about missed messages contains them.
         */
        message_content_in_email_notifications?: boolean;
        /**
         * Clients: sound of notifications.
         */
        notification_sound?: 'none' | 'ding' | 'zulip';
        /**
         * Seconds of missed messages that are collected in one mail.
         */
        email_notifications_batching_period_seconds?: number;
        /**
         * Clients: count on the icon; 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.
         */
        desktop_icon_count_display?: 1 | 2 | 3 | 4;
        /**
         * Name of the organization in subjects of mail about missed messages; 1 automatically, which is never, 2 always, 3 never.
         */
        realm_name_in_email_notifications_policy?: 1 | 2 | 3;
        /**
         * The user follows topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
        /**
         * In muted channels the user unmutes topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
        /**
         * The user follows topics in which they are mentioned.
         */
        automatically_follow_topics_where_mentioned?: boolean;
        /**
         * Notices that a topic is resolved arrive read.
         */
        resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
        /**
         * Others see what the user has read.
         */
        send_read_receipts?: boolean;
        /**
         * Exports may include what only the user can read.
         */
        allow_private_data_export?: boolean;
        /**
         * Drafts are kept on the server; switching it off erases them.
         */
        enable_drafts_synchronization?: boolean;
        /**
         * Who sees the e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
         */
        email_address_visibility?: 1 | 2 | 3 | 4 | 5;
        /**
         * Name of the account.
         */
        full_name?: string;
        /**
         * Counts once it is confirmed.
         */
        email?: string;
        /**
         * The password until now.
         */
        old_password?: string;
        /**
         * The password from now on.
         */
        new_password?: string;
        /**
         * IANA name of a time zone.
         */
        timezone?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/settings/display';
};

export type PatchSettingsDisplayErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchSettingsDisplayError = PatchSettingsDisplayErrors[keyof PatchSettingsDisplayErrors];

export type PatchSettingsDisplayResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchSettingsDisplayResponse = PatchSettingsDisplayResponses[keyof PatchSettingsDisplayResponses];

export type PatchSettingsNotificationsData = {
    body?: {
        /**
         * Clients: show times as 16:00 and not as 4:00 PM.
         */
        twenty_four_hour_time?: boolean;
        /**
         * Clients: show the number of starred messages.
         */
        starred_message_counts?: boolean;
        /**
         * Clients: name those who reacted, where they are few.
         */
        display_emoji_reaction_users?: boolean;
        /**
         * Clients: pictures of emoji.
         */
        emojiset?: 'google' | 'google-blob' | 'twitter' | 'text';
        /**
         * Others see when the user is active.
         */
        presence_enabled?: boolean;
        /**
         * Clients: group the inbox by channel folders.
         */
        web_inbox_show_channel_folders?: boolean;
        /**
         * Others see when the user types a direct message.
         */
        send_private_typing_notifications?: boolean;
        /**
         * Others see when the user types in a channel.
         */
        send_stream_typing_notifications?: boolean;
        /**
         * The user sees when others type.
         */
        receives_typing_notifications?: boolean;
        /**
         * Clients: show the content of direct messages in notifications.
         */
        pm_content_in_desktop_notifications?: boolean;
        /**
         * Clients: language of the interface.
         */
        default_language?: string;
        /**
         * Clients: colors; 1 as the system, 2 dark, 3 light.
         */
        color_scheme?: 1 | 2 | 3;
        /**
         * Clients: Enter sends a message.
         */
        enter_sends?: boolean;
        /**
         * Clients: use the whole width.
         */
        fluid_layout_width?: boolean;
        /**
         * Clients: high contrast.
         */
        high_contrast_mode?: boolean;
        /**
         * Emoticons such as :) become emoji in messages that the user sends.
         */
        translate_emoticons?: boolean;
        /**
         * Clients: list of users on the left in narrow windows.
         */
        left_side_userlist?: boolean;
        /**
         * Clients: 1 compact, 2 with status, 3 with status and avatar.
         */
        user_list_style?: 1 | 2 | 3;
        /**
         * Clients: put inactive channels last; 1 automatically, 2 always, 3 never.
         */
        demote_inactive_streams?: 1 | 2 | 3;
        /**
         * Clients: hide features that use language models.
         */
        hide_ai_features?: boolean;
        /**
         * Clients: view at the start. Also as `default_view`.
         */
        web_home_view?: 'inbox' | 'recent_topics' | 'all_messages';
        /**
         * Clients: Escape leads to the view at the start.
         */
        web_escape_navigates_to_home_view?: boolean;
        /**
         * Clients: size of text in pixels.
         */
        web_font_size_px?: number;
        /**
         * Clients: height of lines in percent.
         */
        web_line_height_percent?: number;
        /**
         * Clients: scrolling marks as read; 1 always, 2 in conversations, 3 never.
         */
        web_mark_read_on_scroll_policy?: 1 | 2 | 3;
        /**
         * Clients: a click on a channel shows 1 its first topic, 2 its feed, 3 its topics, 4 its first unread topic.
         */
        web_channel_default_view?: 1 | 2 | 3 | 4;
        /**
         * Clients: unread counts of channels; 1 all, 2 those that are not muted, 3 none.
         */
        web_stream_unreads_count_display_policy?: 1 | 2 | 3;
        /**
         * Clients: when images move.
         */
        web_animate_image_previews?: 'always' | 'on_hover' | 'never';
        /**
         * Clients: go to the conversation of a sent message.
         */
        web_navigate_to_sent_message?: boolean;
        /**
         * Clients: offer to change the time zone.
         */
        web_suggest_update_timezone?: boolean;
        /**
         * Clients: show the number of all unread messages.
         */
        web_left_sidebar_unreads_count_summary?: boolean;
        /**
         * Clients: group channels by folders.
         */
        web_left_sidebar_show_channel_folders?: boolean;
        /**
         * Clients: notifications of channel messages.
         */
        enable_stream_desktop_notifications?: boolean;
        /**
         * Mail about channel messages.
         */
        enable_stream_email_notifications?: boolean;
        /**
         * Push notifications of channel messages.
         */
        enable_stream_push_notifications?: boolean;
        /**
         * Clients: sounds for channel messages.
         */
        enable_stream_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions notify like personal ones.
         */
        wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of followed topics.
         */
        enable_followed_topic_desktop_notifications?: boolean;
        /**
         * Mail about followed topics.
         */
        enable_followed_topic_email_notifications?: boolean;
        /**
         * Push notifications of followed topics.
         */
        enable_followed_topic_push_notifications?: boolean;
        /**
         * Clients: sounds for followed topics.
         */
        enable_followed_topic_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions in followed topics notify like personal ones.
         */
        enable_followed_topic_wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of direct messages and mentions.
         */
        enable_desktop_notifications?: boolean;
        /**
         * Clients: sounds for direct messages and mentions.
         */
        enable_sounds?: boolean;
        /**
         * Mail about direct messages and mentions, while the user is away.
         */
        enable_offline_email_notifications?: boolean;
        /**
         * Push notifications of direct messages and mentions.
         */
        enable_offline_push_notifications?: boolean;
        /**
         * Push notifications also while the user is active.
         */
        enable_online_push_notifications?: boolean;
        /**
         * Kept for clients; no e-mail is sent: of what happened.
         */
        enable_digest_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about logins.
         */
        enable_login_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about the product.
         */
        enable_marketing_emails?: boolean;
        /**
         * Mail about missed messages contains them.
         */
        message_content_in_email_notifications?: boolean;
        /**
         * Clients: sound of notifications.
         */
        notification_sound?: 'none' | 'ding' | 'zulip';
        /**
         * Seconds of missed messages that are collected in one mail.
         */
        email_notifications_batching_period_seconds?: number;
        /**
         * Clients: count on the icon; 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.
         */
        desktop_icon_count_display?: 1 | 2 | 3 | 4;
        /**
         * Name of the organization in subjects of mail about missed messages; 1 automatically, which is never, 2 always, 3 never.
         */
        realm_name_in_email_notifications_policy?: 1 | 2 | 3;
        /**
         * The user follows topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
        /**
         * In muted channels the user unmutes topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
        /**
         * The user follows topics in which they are mentioned.
         */
        automatically_follow_topics_where_mentioned?: boolean;
        /**
         * Notices that a topic is resolved arrive read.
         */
        resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
        /**
         * Others see what the user has read.
         */
        send_read_receipts?: boolean;
        /**
         * Exports may include what only the user can read.
         */
        allow_private_data_export?: boolean;
        /**
         * Drafts are kept on the server; switching it off erases them.
         */
        enable_drafts_synchronization?: boolean;
        /**
         * Who sees the e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
         */
        email_address_visibility?: 1 | 2 | 3 | 4 | 5;
        /**
         * Name of the account.
         */
        full_name?: string;
        /**
         * Counts once it is confirmed.
         */
        email?: string;
        /**
         * The password until now.
         */
        old_password?: string;
        /**
         * The password from now on.
         */
        new_password?: string;
        /**
         * IANA name of a time zone.
         */
        timezone?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/settings/notifications';
};

export type PatchSettingsNotificationsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchSettingsNotificationsError = PatchSettingsNotificationsErrors[keyof PatchSettingsNotificationsErrors];

export type PatchSettingsNotificationsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchSettingsNotificationsResponse = PatchSettingsNotificationsResponses[keyof PatchSettingsNotificationsResponses];

export type PatchRealmUserSettingsDefaultsData = {
    body?: {
        /**
         * Clients: show times as 16:00 and not as 4:00 PM.
         */
        twenty_four_hour_time?: boolean;
        /**
         * Clients: show the number of starred messages.
         */
        starred_message_counts?: boolean;
        /**
         * Clients: name those who reacted, where they are few.
         */
        display_emoji_reaction_users?: boolean;
        /**
         * Clients: pictures of emoji.
         */
        emojiset?: 'google' | 'google-blob' | 'twitter' | 'text';
        /**
         * Others see when the user is active.
         */
        presence_enabled?: boolean;
        /**
         * Clients: group the inbox by channel folders.
         */
        web_inbox_show_channel_folders?: boolean;
        /**
         * Others see when the user types a direct message.
         */
        send_private_typing_notifications?: boolean;
        /**
         * Others see when the user types in a channel.
         */
        send_stream_typing_notifications?: boolean;
        /**
         * The user sees when others type.
         */
        receives_typing_notifications?: boolean;
        /**
         * Clients: show the content of direct messages in notifications.
         */
        pm_content_in_desktop_notifications?: boolean;
        /**
         * Clients: language of the interface.
         */
        default_language?: string;
        /**
         * Clients: colors; 1 as the system, 2 dark, 3 light.
         */
        color_scheme?: 1 | 2 | 3;
        /**
         * Clients: Enter sends a message.
         */
        enter_sends?: boolean;
        /**
         * Clients: use the whole width.
         */
        fluid_layout_width?: boolean;
        /**
         * Clients: high contrast.
         */
        high_contrast_mode?: boolean;
        /**
         * Emoticons such as :) become emoji in messages that the user sends.
         */
        translate_emoticons?: boolean;
        /**
         * Clients: list of users on the left in narrow windows.
         */
        left_side_userlist?: boolean;
        /**
         * Clients: 1 compact, 2 with status, 3 with status and avatar.
         */
        user_list_style?: 1 | 2 | 3;
        /**
         * Clients: put inactive channels last; 1 automatically, 2 always, 3 never.
         */
        demote_inactive_streams?: 1 | 2 | 3;
        /**
         * Clients: hide features that use language models.
         */
        hide_ai_features?: boolean;
        /**
         * Clients: view at the start. Also as `default_view`.
         */
        web_home_view?: 'inbox' | 'recent_topics' | 'all_messages';
        /**
         * Clients: Escape leads to the view at the start.
         */
        web_escape_navigates_to_home_view?: boolean;
        /**
         * Clients: size of text in pixels.
         */
        web_font_size_px?: number;
        /**
         * Clients: height of lines in percent.
         */
        web_line_height_percent?: number;
        /**
         * Clients: scrolling marks as read; 1 always, 2 in conversations, 3 never.
         */
        web_mark_read_on_scroll_policy?: 1 | 2 | 3;
        /**
         * Clients: a click on a channel shows 1 its first topic, 2 its feed, 3 its topics, 4 its first unread topic.
         */
        web_channel_default_view?: 1 | 2 | 3 | 4;
        /**
         * Clients: unread counts of channels; 1 all, 2 those that are not muted, 3 none.
         */
        web_stream_unreads_count_display_policy?: 1 | 2 | 3;
        /**
         * Clients: when images move.
         */
        web_animate_image_previews?: 'always' | 'on_hover' | 'never';
        /**
         * Clients: go to the conversation of a sent message.
         */
        web_navigate_to_sent_message?: boolean;
        /**
         * Clients: offer to change the time zone.
         */
        web_suggest_update_timezone?: boolean;
        /**
         * Clients: show the number of all unread messages.
         */
        web_left_sidebar_unreads_count_summary?: boolean;
        /**
         * Clients: group channels by folders.
         */
        web_left_sidebar_show_channel_folders?: boolean;
        /**
         * Clients: notifications of channel messages.
         */
        enable_stream_desktop_notifications?: boolean;
        /**
         * Mail about channel messages.
         */
        enable_stream_email_notifications?: boolean;
        /**
         * Push notifications of channel messages.
         */
        enable_stream_push_notifications?: boolean;
        /**
         * Clients: sounds for channel messages.
         */
        enable_stream_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions notify like personal ones.
         */
        wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of followed topics.
         */
        enable_followed_topic_desktop_notifications?: boolean;
        /**
         * Mail about followed topics.
         */
        enable_followed_topic_email_notifications?: boolean;
        /**
         * Push notifications of followed topics.
         */
        enable_followed_topic_push_notifications?: boolean;
        /**
         * Clients: sounds for followed topics.
         */
        enable_followed_topic_audible_notifications?: boolean;
        /**
         * Clients: wildcard mentions in followed topics notify like personal ones.
         */
        enable_followed_topic_wildcard_mentions_notify?: boolean;
        /**
         * Clients: notifications of direct messages and mentions.
         */
        enable_desktop_notifications?: boolean;
        /**
         * Clients: sounds for direct messages and mentions.
         */
        enable_sounds?: boolean;
        /**
         * Mail about direct messages and mentions, while the user is away.
         */
        enable_offline_email_notifications?: boolean;
        /**
         * Push notifications of direct messages and mentions.
         */
        enable_offline_push_notifications?: boolean;
        /**
         * Push notifications also while the user is active.
         */
        enable_online_push_notifications?: boolean;
        /**
         * Kept for clients; no e-mail is sent: of what happened.
         */
        enable_digest_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about logins.
         */
        enable_login_emails?: boolean;
        /**
         * Kept for clients; no e-mail is sent: about the product.
         */
        enable_marketing_emails?: boolean;
        /**
         * Mail about missed messages contains them.
         */
        message_content_in_email_notifications?: boolean;
        /**
         * Clients: sound of notifications.
         */
        notification_sound?: 'none' | 'ding' | 'zulip';
        /**
         * Seconds of missed messages that are collected in one mail.
         */
        email_notifications_batching_period_seconds?: number;
        /**
         * Clients: count on the icon; 1 all unread, 2 direct messages, mentions and followed topics, 3 direct messages and mentions, 4 none.
         */
        desktop_icon_count_display?: 1 | 2 | 3 | 4;
        /**
         * Name of the organization in subjects of mail about missed messages; 1 automatically, which is never, 2 always, 3 never.
         */
        realm_name_in_email_notifications_policy?: 1 | 2 | 3;
        /**
         * The user follows topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_follow_topics_policy?: 1 | 2 | 3 | 4;
        /**
         * In muted channels the user unmutes topics in which they 1 take part, 2 send, 3 send first; 4 never.
         */
        automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4;
        /**
         * The user follows topics in which they are mentioned.
         */
        automatically_follow_topics_where_mentioned?: boolean;
        /**
         * Notices that a topic is resolved arrive read.
         */
        resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never';
        /**
         * Others see what the user has read.
         */
        send_read_receipts?: boolean;
        /**
         * Exports may include what only the user can read.
         */
        allow_private_data_export?: boolean;
        /**
         * Drafts are kept on the server; switching it off erases them.
         */
        enable_drafts_synchronization?: boolean;
        /**
         * Who sees the e-mail address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.
         */
        email_address_visibility?: 1 | 2 | 3 | 4 | 5;
    };
    path?: never;
    query?: never;
    url: '/api/v1/realm/user_settings_defaults';
};

export type PatchRealmUserSettingsDefaultsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchRealmUserSettingsDefaultsError = PatchRealmUserSettingsDefaultsErrors[keyof PatchRealmUserSettingsDefaultsErrors];

export type PatchRealmUserSettingsDefaultsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchRealmUserSettingsDefaultsResponse = PatchRealmUserSettingsDefaultsResponses[keyof PatchRealmUserSettingsDefaultsResponses];

export type PostUserTopicsData = {
    body: {
        /**
         * ID of the channel.
         */
        stream_id: number;
        /**
         * The topic.
         */
        topic: string;
        /**
         * 0 none of its own, 1 muted, 2 unmuted, 3 followed.
         */
        visibility_policy: 0 | 1 | 2 | 3;
    };
    path?: never;
    query?: never;
    url: '/api/v1/user_topics';
};

export type PostUserTopicsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUserTopicsError = PostUserTopicsErrors[keyof PostUserTopicsErrors];

export type PostUserTopicsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUserTopicsResponse = PostUserTopicsResponses[keyof PostUserTopicsResponses];

export type PatchUsersMeSubscriptionsMutedTopicsData = {
    body: {
        /**
         * ID of the channel.
         */
        stream_id?: number;
        /**
         * Name of the channel, instead of its ID.
         */
        stream?: string;
        /**
         * The topic.
         */
        topic: string;
        /**
         * What to do.
         */
        op: 'add' | 'remove';
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/subscriptions/muted_topics';
};

export type PatchUsersMeSubscriptionsMutedTopicsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchUsersMeSubscriptionsMutedTopicsError = PatchUsersMeSubscriptionsMutedTopicsErrors[keyof PatchUsersMeSubscriptionsMutedTopicsErrors];

export type PatchUsersMeSubscriptionsMutedTopicsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchUsersMeSubscriptionsMutedTopicsResponse = PatchUsersMeSubscriptionsMutedTopicsResponses[keyof PatchUsersMeSubscriptionsMutedTopicsResponses];

export type PostZcommandData = {
    body: {
        /**
         * `/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`.
         */
        command: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/zcommand';
};

export type PostZcommandErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostZcommandError = PostZcommandErrors[keyof PostZcommandErrors];

export type PostZcommandResponses = {
    /**
     * Success
     */
    200: {
        result: 'success';
        msg: string;
        data: {
            [key: string]: unknown;
        };
    };
};

export type PostZcommandResponse = PostZcommandResponses[keyof PostZcommandResponses];

export type PostUsersMePresenceData = {
    body: {
        /**
         * `active` while the user works with the client, else `idle`.
         */
        status: 'active' | 'idle';
        /**
         * Answer with nothing.
         */
        ping_only?: boolean;
        /**
         * The user has done something since the last call.
         */
        new_user_input?: boolean;
        /**
         * Answer in the modern format.
         */
        slim_presence?: boolean;
        /**
         * The `presence_last_update_id` of an earlier answer: answer with what changed since, in the modern format.
         */
        last_update_id?: number;
        /**
         * Days; 0 for nobody.
         */
        history_limit_days?: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/presence';
};

export type PostUsersMePresenceErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMePresenceError = PostUsersMePresenceErrors[keyof PostUsersMePresenceErrors];

export type PostUsersMePresenceResponses = {
    /**
     * Success
     */
    200: Success & {
        presences?: {
            [key: string]: Presence;
        } | {
            [key: string]: {
                [key: string]: LegacyPresence;
            };
        };
        server_timestamp?: number;
        presence_last_update_id?: number;
    };
};

export type PostUsersMePresenceResponse = PostUsersMePresenceResponses[keyof PostUsersMePresenceResponses];

export type GetUsersByUserIdOrEmailPresenceData = {
    body?: never;
    path: {
        /**
         * ID or address of the user.
         */
        user_id_or_email: string;
    };
    query?: never;
    url: '/api/v1/users/{user_id_or_email}/presence';
};

export type GetUsersByUserIdOrEmailPresenceErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersByUserIdOrEmailPresenceError = GetUsersByUserIdOrEmailPresenceErrors[keyof GetUsersByUserIdOrEmailPresenceErrors];

export type GetUsersByUserIdOrEmailPresenceResponses = {
    /**
     * Success
     */
    200: Success & {
        presence: {
            aggregated: {
                status: 'active' | 'idle' | 'offline';
                timestamp: number;
            };
            website: {
                status: 'active' | 'idle' | 'offline';
                timestamp: number;
            };
        };
    };
};

export type GetUsersByUserIdOrEmailPresenceResponse = GetUsersByUserIdOrEmailPresenceResponses[keyof GetUsersByUserIdOrEmailPresenceResponses];

export type GetRealmPresenceData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/realm/presence';
};

export type GetRealmPresenceErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRealmPresenceError = GetRealmPresenceErrors[keyof GetRealmPresenceErrors];

export type GetRealmPresenceResponses = {
    /**
     * Success
     */
    200: Success & {
        presences: {
            [key: string]: Presence;
        } | {
            [key: string]: {
                [key: string]: LegacyPresence;
            };
        };
        server_timestamp: number;
    };
};

export type GetRealmPresenceResponse = GetRealmPresenceResponses[keyof GetRealmPresenceResponses];

export type PostUsersMeStatusData = {
    body?: {
        /**
         * Up to 60 characters; empty for none.
         */
        status_text?: string;
        /**
         * Empty for none.
         */
        emoji_name?: string;
        /**
         * Code of the emoji; follows from its name where it is absent.
         */
        emoji_code?: string;
        /**
         * Type of the emoji; follows from its name where it is absent.
         */
        reaction_type?: '' | 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji' | 'service_extra_emoji';
        /**
         * Older name of not sharing presence.
         */
        away?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/status';
};

export type PostUsersMeStatusErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeStatusError = PostUsersMeStatusErrors[keyof PostUsersMeStatusErrors];

export type PostUsersMeStatusResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMeStatusResponse = PostUsersMeStatusResponses[keyof PostUsersMeStatusResponses];

export type GetUsersByUserIdStatusData = {
    body?: never;
    path: {
        /**
         * ID of the user.
         */
        user_id: number;
    };
    query?: never;
    url: '/api/v1/users/{user_id}/status';
};

export type GetUsersByUserIdStatusErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetUsersByUserIdStatusError = GetUsersByUserIdStatusErrors[keyof GetUsersByUserIdStatusErrors];

export type GetUsersByUserIdStatusResponses = {
    /**
     * Success
     */
    200: Success & {
        status: UserStatus;
    };
};

export type GetUsersByUserIdStatusResponse = GetUsersByUserIdStatusResponses[keyof GetUsersByUserIdStatusResponses];

export type PostUsersByUserIdStatusData = {
    body?: {
        /**
         * Up to 60 characters; empty for none.
         */
        status_text?: string;
        /**
         * Empty for none.
         */
        emoji_name?: string;
        /**
         * Code of the emoji; follows from its name where it is absent.
         */
        emoji_code?: string;
        /**
         * Type of the emoji; follows from its name where it is absent.
         */
        reaction_type?: '' | 'unicode_emoji' | 'realm_emoji' | 'zulip_extra_emoji' | 'service_extra_emoji';
        /**
         * Older name of not sharing presence.
         */
        away?: boolean;
    };
    path: {
        /**
         * ID of the user.
         */
        user_id: number;
    };
    query?: never;
    url: '/api/v1/users/{user_id}/status';
};

export type PostUsersByUserIdStatusErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersByUserIdStatusError = PostUsersByUserIdStatusErrors[keyof PostUsersByUserIdStatusErrors];

export type PostUsersByUserIdStatusResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersByUserIdStatusResponse = PostUsersByUserIdStatusResponses[keyof PostUsersByUserIdStatusResponses];

export type GetDraftsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/drafts';
};

export type GetDraftsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetDraftsError = GetDraftsErrors[keyof GetDraftsErrors];

export type GetDraftsResponses = {
    /**
     * Success
     */
    200: Success & {
        count: number;
        drafts: Array<Draft>;
    };
};

export type GetDraftsResponse = GetDraftsResponses[keyof GetDraftsResponses];

export type PostDraftsData = {
    body?: {
        /**
         * Drafts to create: all of them or none.
         */
        drafts?: Array<{
            type: '' | 'stream' | 'private';
            to: Array<number>;
            topic: string;
            content: string;
            timestamp?: number;
        }>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/drafts';
};

export type PostDraftsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostDraftsError = PostDraftsErrors[keyof PostDraftsErrors];

export type PostDraftsResponses = {
    /**
     * Success
     */
    200: Success & {
        ids: Array<number>;
    };
};

export type PostDraftsResponse = PostDraftsResponses[keyof PostDraftsResponses];

export type DeleteDraftsByDraftIdData = {
    body?: never;
    path: {
        /**
         * ID of the draft.
         */
        draft_id: number;
    };
    query?: never;
    url: '/api/v1/drafts/{draft_id}';
};

export type DeleteDraftsByDraftIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteDraftsByDraftIdError = DeleteDraftsByDraftIdErrors[keyof DeleteDraftsByDraftIdErrors];

export type DeleteDraftsByDraftIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteDraftsByDraftIdResponse = DeleteDraftsByDraftIdResponses[keyof DeleteDraftsByDraftIdResponses];

export type PatchDraftsByDraftIdData = {
    body: {
        /**
         * The draft as it is from now on.
         */
        draft: {
            type: '' | 'stream' | 'private';
            to: Array<number>;
            topic: string;
            content: string;
            timestamp?: number;
        };
    };
    path: {
        /**
         * ID of the draft.
         */
        draft_id: number;
    };
    query?: never;
    url: '/api/v1/drafts/{draft_id}';
};

export type PatchDraftsByDraftIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchDraftsByDraftIdError = PatchDraftsByDraftIdErrors[keyof PatchDraftsByDraftIdErrors];

export type PatchDraftsByDraftIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchDraftsByDraftIdResponse = PatchDraftsByDraftIdResponses[keyof PatchDraftsByDraftIdResponses];

export type GetRemindersData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/reminders';
};

export type GetRemindersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetRemindersError = GetRemindersErrors[keyof GetRemindersErrors];

export type GetRemindersResponses = {
    /**
     * Success
     */
    200: Success & {
        reminders: Array<Reminder>;
    };
};

export type GetRemindersResponse = GetRemindersResponses[keyof GetRemindersResponses];

export type PostRemindersData = {
    body: {
        /**
         * The message to be reminded of.
         */
        message_id: number;
        /**
         * When to be reminded, in seconds since the epoch.
         */
        scheduled_delivery_timestamp: number;
        /**
         * Markdown, shown in the message of the notification bot.
         */
        note?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/reminders';
};

export type PostRemindersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRemindersError = PostRemindersErrors[keyof PostRemindersErrors];

export type PostRemindersResponses = {
    /**
     * Success
     */
    200: Success & {
        reminder_id: number;
    };
};

export type PostRemindersResponse = PostRemindersResponses[keyof PostRemindersResponses];

export type DeleteRemindersByReminderIdData = {
    body?: never;
    path: {
        /**
         * ID of the reminder.
         */
        reminder_id: number;
    };
    query?: never;
    url: '/api/v1/reminders/{reminder_id}';
};

export type DeleteRemindersByReminderIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteRemindersByReminderIdError = DeleteRemindersByReminderIdErrors[keyof DeleteRemindersByReminderIdErrors];

export type DeleteRemindersByReminderIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteRemindersByReminderIdResponse = DeleteRemindersByReminderIdResponses[keyof DeleteRemindersByReminderIdResponses];

export type GetScheduledMessagesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/scheduled_messages';
};

export type GetScheduledMessagesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetScheduledMessagesError = GetScheduledMessagesErrors[keyof GetScheduledMessagesErrors];

export type GetScheduledMessagesResponses = {
    /**
     * Success
     */
    200: Success & {
        scheduled_messages: Array<ScheduledMessage>;
    };
};

export type GetScheduledMessagesResponse = GetScheduledMessagesResponses[keyof GetScheduledMessagesResponses];

export type PostScheduledMessagesData = {
    body: {
        /**
         * Kind of recipients: a channel and topic, or people.
         */
        type: 'direct' | 'channel' | 'stream' | 'private';
        /**
         * ID of a channel, or IDs of users.
         */
        to: number | Array<number>;
        /**
         * Markdown. What is longer than max_message_length is cut off.
         */
        content: string;
        /**
         * Of a channel message. Also as `subject`.
         */
        topic?: string;
        /**
         * When to send it, in seconds since the epoch.
         */
        scheduled_delivery_timestamp: number;
        /**
         * The sender has read the message.
         */
        read_by_sender?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/scheduled_messages';
};

export type PostScheduledMessagesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostScheduledMessagesError = PostScheduledMessagesErrors[keyof PostScheduledMessagesErrors];

export type PostScheduledMessagesResponses = {
    /**
     * Success
     */
    200: Success & {
        scheduled_message_id: number;
    };
};

export type PostScheduledMessagesResponse = PostScheduledMessagesResponses[keyof PostScheduledMessagesResponses];

export type DeleteScheduledMessagesByScheduledMessageIdData = {
    body?: never;
    path: {
        /**
         * ID of the scheduled message.
         */
        scheduled_message_id: number;
    };
    query?: never;
    url: '/api/v1/scheduled_messages/{scheduled_message_id}';
};

export type DeleteScheduledMessagesByScheduledMessageIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteScheduledMessagesByScheduledMessageIdError = DeleteScheduledMessagesByScheduledMessageIdErrors[keyof DeleteScheduledMessagesByScheduledMessageIdErrors];

export type DeleteScheduledMessagesByScheduledMessageIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteScheduledMessagesByScheduledMessageIdResponse = DeleteScheduledMessagesByScheduledMessageIdResponses[keyof DeleteScheduledMessagesByScheduledMessageIdResponses];

export type PatchScheduledMessagesByScheduledMessageIdData = {
    body?: {
        /**
         * Kind of recipients: a channel and topic, or people.
         */
        type?: 'direct' | 'channel' | 'stream' | 'private';
        /**
         * ID of a channel, or IDs of users.
         */
        to?: number | Array<number>;
        /**
         * Markdown. What is longer than max_message_length is cut off.
         */
        content?: string;
        /**
         * Of a channel message. Also as `subject`.
         */
        topic?: string;
        /**
         * When to send it, in seconds since the epoch.
         */
        scheduled_delivery_timestamp?: number;
    };
    path: {
        /**
         * ID of the scheduled message.
         */
        scheduled_message_id: number;
    };
    query?: never;
    url: '/api/v1/scheduled_messages/{scheduled_message_id}';
};

export type PatchScheduledMessagesByScheduledMessageIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchScheduledMessagesByScheduledMessageIdError = PatchScheduledMessagesByScheduledMessageIdErrors[keyof PatchScheduledMessagesByScheduledMessageIdErrors];

export type PatchScheduledMessagesByScheduledMessageIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchScheduledMessagesByScheduledMessageIdResponse = PatchScheduledMessagesByScheduledMessageIdResponses[keyof PatchScheduledMessagesByScheduledMessageIdResponses];

export type GetSavedSnippetsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/saved_snippets';
};

export type GetSavedSnippetsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetSavedSnippetsError = GetSavedSnippetsErrors[keyof GetSavedSnippetsErrors];

export type GetSavedSnippetsResponses = {
    /**
     * Success
     */
    200: Success & {
        saved_snippets: Array<SavedSnippet>;
    };
};

export type GetSavedSnippetsResponse = GetSavedSnippetsResponses[keyof GetSavedSnippetsResponses];

export type PostSavedSnippetsData = {
    body: {
        /**
         * The title.
         */
        title: string;
        /**
         * Markdown.
         */
        content: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/saved_snippets';
};

export type PostSavedSnippetsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostSavedSnippetsError = PostSavedSnippetsErrors[keyof PostSavedSnippetsErrors];

export type PostSavedSnippetsResponses = {
    /**
     * Success
     */
    200: Success & {
        saved_snippet_id: number;
    };
};

export type PostSavedSnippetsResponse = PostSavedSnippetsResponses[keyof PostSavedSnippetsResponses];

export type DeleteSavedSnippetsBySavedSnippetIdData = {
    body?: never;
    path: {
        /**
         * ID of the snippet.
         */
        saved_snippet_id: number;
    };
    query?: never;
    url: '/api/v1/saved_snippets/{saved_snippet_id}';
};

export type DeleteSavedSnippetsBySavedSnippetIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteSavedSnippetsBySavedSnippetIdError = DeleteSavedSnippetsBySavedSnippetIdErrors[keyof DeleteSavedSnippetsBySavedSnippetIdErrors];

export type DeleteSavedSnippetsBySavedSnippetIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteSavedSnippetsBySavedSnippetIdResponse = DeleteSavedSnippetsBySavedSnippetIdResponses[keyof DeleteSavedSnippetsBySavedSnippetIdResponses];

export type PatchSavedSnippetsBySavedSnippetIdData = {
    body?: {
        /**
         * The title.
         */
        title?: string;
        /**
         * Markdown.
         */
        content?: string;
    };
    path: {
        /**
         * ID of the snippet.
         */
        saved_snippet_id: number;
    };
    query?: never;
    url: '/api/v1/saved_snippets/{saved_snippet_id}';
};

export type PatchSavedSnippetsBySavedSnippetIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchSavedSnippetsBySavedSnippetIdError = PatchSavedSnippetsBySavedSnippetIdErrors[keyof PatchSavedSnippetsBySavedSnippetIdErrors];

export type PatchSavedSnippetsBySavedSnippetIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchSavedSnippetsBySavedSnippetIdResponse = PatchSavedSnippetsBySavedSnippetIdResponses[keyof PatchSavedSnippetsBySavedSnippetIdResponses];

export type GetNavigationViewsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/navigation_views';
};

export type GetNavigationViewsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetNavigationViewsError = GetNavigationViewsErrors[keyof GetNavigationViewsErrors];

export type GetNavigationViewsResponses = {
    /**
     * Success
     */
    200: Success & {
        navigation_views: Array<NavigationView>;
    };
};

export type GetNavigationViewsResponse = GetNavigationViewsResponses[keyof GetNavigationViewsResponses];

export type PostNavigationViewsData = {
    body: {
        /**
         * The part of the address behind `#`: `narrow/is/dm`.
         */
        fragment: string;
        /**
         * Whether it is pinned.
         */
        is_pinned: boolean;
        /**
         * Of views that are not built into clients.
         */
        name?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/navigation_views';
};

export type PostNavigationViewsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostNavigationViewsError = PostNavigationViewsErrors[keyof PostNavigationViewsErrors];

export type PostNavigationViewsResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostNavigationViewsResponse = PostNavigationViewsResponses[keyof PostNavigationViewsResponses];

export type DeleteNavigationViewsByFragmentData = {
    body?: never;
    path: {
        /**
         * Fragment of its address in the client.
         */
        fragment: string;
    };
    query?: never;
    url: '/api/v1/navigation_views/{fragment}';
};

export type DeleteNavigationViewsByFragmentErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteNavigationViewsByFragmentError = DeleteNavigationViewsByFragmentErrors[keyof DeleteNavigationViewsByFragmentErrors];

export type DeleteNavigationViewsByFragmentResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteNavigationViewsByFragmentResponse = DeleteNavigationViewsByFragmentResponses[keyof DeleteNavigationViewsByFragmentResponses];

export type PatchNavigationViewsByFragmentData = {
    body?: {
        /**
         * Whether it is pinned.
         */
        is_pinned?: boolean;
        /**
         * Its name.
         */
        name?: string;
    };
    path: {
        /**
         * Fragment of its address in the client.
         */
        fragment: string;
    };
    query?: never;
    url: '/api/v1/navigation_views/{fragment}';
};

export type PatchNavigationViewsByFragmentErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PatchNavigationViewsByFragmentError = PatchNavigationViewsByFragmentErrors[keyof PatchNavigationViewsByFragmentErrors];

export type PatchNavigationViewsByFragmentResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PatchNavigationViewsByFragmentResponse = PatchNavigationViewsByFragmentResponses[keyof PatchNavigationViewsByFragmentResponses];

export type DeleteUsersMeApnsDeviceTokenData = {
    body: {
        /**
         * Hexadecimal.
         */
        token: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/apns_device_token';
};

export type DeleteUsersMeApnsDeviceTokenErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeApnsDeviceTokenError = DeleteUsersMeApnsDeviceTokenErrors[keyof DeleteUsersMeApnsDeviceTokenErrors];

export type DeleteUsersMeApnsDeviceTokenResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersMeApnsDeviceTokenResponse = DeleteUsersMeApnsDeviceTokenResponses[keyof DeleteUsersMeApnsDeviceTokenResponses];

export type PostUsersMeApnsDeviceTokenData = {
    body: {
        /**
         * Hexadecimal.
         */
        token: string;
        /**
         * ID of the app that makes the request.
         */
        appid: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/apns_device_token';
};

export type PostUsersMeApnsDeviceTokenErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeApnsDeviceTokenError = PostUsersMeApnsDeviceTokenErrors[keyof PostUsersMeApnsDeviceTokenErrors];

export type PostUsersMeApnsDeviceTokenResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMeApnsDeviceTokenResponse = PostUsersMeApnsDeviceTokenResponses[keyof PostUsersMeApnsDeviceTokenResponses];

export type DeleteUsersMePlatformpushDeviceTokenData = {
    body: {
        /**
         * Hexadecimal.
         */
        token: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/platformpush_device_token';
};

export type DeleteUsersMePlatformpushDeviceTokenErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMePlatformpushDeviceTokenError = DeleteUsersMePlatformpushDeviceTokenErrors[keyof DeleteUsersMePlatformpushDeviceTokenErrors];

export type DeleteUsersMePlatformpushDeviceTokenResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersMePlatformpushDeviceTokenResponse = DeleteUsersMePlatformpushDeviceTokenResponses[keyof DeleteUsersMePlatformpushDeviceTokenResponses];

export type PostUsersMePlatformpushDeviceTokenData = {
    body: {
        /**
         * Hexadecimal.
         */
        token: string;
        /**
         * ID of the app that makes the request.
         */
        appid: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/platformpush_device_token';
};

export type PostUsersMePlatformpushDeviceTokenErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMePlatformpushDeviceTokenError = PostUsersMePlatformpushDeviceTokenErrors[keyof PostUsersMePlatformpushDeviceTokenErrors];

export type PostUsersMePlatformpushDeviceTokenResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMePlatformpushDeviceTokenResponse = PostUsersMePlatformpushDeviceTokenResponses[keyof PostUsersMePlatformpushDeviceTokenResponses];

export type DeleteUsersMeAndroidGcmRegIdData = {
    body: {
        /**
         * The credential in the address, or the token of the device.
         */
        token: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/android_gcm_reg_id';
};

export type DeleteUsersMeAndroidGcmRegIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteUsersMeAndroidGcmRegIdError = DeleteUsersMeAndroidGcmRegIdErrors[keyof DeleteUsersMeAndroidGcmRegIdErrors];

export type DeleteUsersMeAndroidGcmRegIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteUsersMeAndroidGcmRegIdResponse = DeleteUsersMeAndroidGcmRegIdResponses[keyof DeleteUsersMeAndroidGcmRegIdResponses];

export type PostUsersMeAndroidGcmRegIdData = {
    body: {
        /**
         * The credential in the address, or the token of the device.
         */
        token: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/users/me/android_gcm_reg_id';
};

export type PostUsersMeAndroidGcmRegIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostUsersMeAndroidGcmRegIdError = PostUsersMeAndroidGcmRegIdErrors[keyof PostUsersMeAndroidGcmRegIdErrors];

export type PostUsersMeAndroidGcmRegIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostUsersMeAndroidGcmRegIdResponse = PostUsersMeAndroidGcmRegIdResponses[keyof PostUsersMeAndroidGcmRegIdResponses];

export type PostRegisterClientDeviceData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/register_client_device';
};

export type PostRegisterClientDeviceErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRegisterClientDeviceError = PostRegisterClientDeviceErrors[keyof PostRegisterClientDeviceErrors];

export type PostRegisterClientDeviceResponses = {
    /**
     * Success
     */
    200: Success & {
        device_id: number;
    };
};

export type PostRegisterClientDeviceResponse = PostRegisterClientDeviceResponses[keyof PostRegisterClientDeviceResponses];

export type PostRemoveClientDeviceData = {
    body: {
        /**
         * ID of the client device.
         */
        device_id: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/remove_client_device';
};

export type PostRemoveClientDeviceErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostRemoveClientDeviceError = PostRemoveClientDeviceErrors[keyof PostRemoveClientDeviceErrors];

export type PostRemoveClientDeviceResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostRemoveClientDeviceResponse = PostRemoveClientDeviceResponses[keyof PostRemoveClientDeviceResponses];

export type PostMobilePushRegisterData = {
    body?: {
        /**
         * Push service of the device.
         */
        token_kind?: 'fcm' | 'apns';
        /**
         * The client's ID for the account on the device.
         */
        push_account_id?: number;
        /**
         * Base64 of 32 bytes, the public key of a libsodium box, or of 33, a shared key after a first byte 0x31. Also as `push_public_key`.
         */
        push_key?: string;
        /**
         * Public key of the push service, to which the client has encrypted.
         */
        bouncer_public_key?: string;
        /**
         * Base64.
         */
        encrypted_push_registration?: string;
        /**
         * From `POST /register_client_device`.
         */
        device_id?: number;
        /**
         * Number of the key at the client.
         */
        push_key_id?: number;
        /**
         * The client's ID of its token.
         */
        token_id?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/mobile_push/register';
};

export type PostMobilePushRegisterErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMobilePushRegisterError = PostMobilePushRegisterErrors[keyof PostMobilePushRegisterErrors];

export type PostMobilePushRegisterResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMobilePushRegisterResponse = PostMobilePushRegisterResponses[keyof PostMobilePushRegisterResponses];

export type PostMobilePushE2EeTestNotificationData = {
    body?: {
        /**
         * Of one device; all devices of the caller without it.
         */
        push_account_id?: number;
    };
    path?: never;
    query?: never;
    url: '/api/v1/mobile_push/e2ee/test_notification';
};

export type PostMobilePushE2EeTestNotificationErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMobilePushE2EeTestNotificationError = PostMobilePushE2EeTestNotificationErrors[keyof PostMobilePushE2EeTestNotificationErrors];

export type PostMobilePushE2EeTestNotificationResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMobilePushE2EeTestNotificationResponse = PostMobilePushE2EeTestNotificationResponses[keyof PostMobilePushE2EeTestNotificationResponses];

export type PostMobilePushTestNotificationData = {
    body?: {
        /**
         * Of one device; all devices of the caller without it.
         */
        token?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/mobile_push/test_notification';
};

export type PostMobilePushTestNotificationErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostMobilePushTestNotificationError = PostMobilePushTestNotificationErrors[keyof PostMobilePushTestNotificationErrors];

export type PostMobilePushTestNotificationResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostMobilePushTestNotificationResponse = PostMobilePushTestNotificationResponses[keyof PostMobilePushTestNotificationResponses];

export type GetInvitesData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/invites';
};

export type GetInvitesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetInvitesError = GetInvitesErrors[keyof GetInvitesErrors];

export type GetInvitesResponses = {
    /**
     * Success
     */
    200: Success & {
        invites: Array<Invitation>;
    };
};

export type GetInvitesResponse = GetInvitesResponses[keyof GetInvitesResponses];

export type PostInvitesData = {
    body: {
        /**
         * null: it never expires.
         */
        invite_expires_in_minutes?: number | null;
        /**
         * Role of those who join: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        invite_as?: 100 | 200 | 300 | 400 | 600;
        /**
         * Groups that the new user joins.
         */
        group_ids?: Array<number>;
        /**
         * Also the default channels, as they are then.
         */
        include_realm_default_subscriptions?: boolean;
        /**
         * Markdown that the welcome bot sends: absent for the text of the organization, empty for none.
         */
        welcome_message_custom_text?: string | null;
        /**
         * E-mail addresses, separated by commas or line breaks.
         */
        invitee_emails: string;
        /**
         * Channels that the new user is subscribed to.
         */
        stream_ids: Array<number>;
        /**
         * Tell the inviter when the account exists.
         */
        notify_referrer_on_join?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/invites';
};

export type PostInvitesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostInvitesError = PostInvitesErrors[keyof PostInvitesErrors];

export type PostInvitesResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostInvitesResponse = PostInvitesResponses[keyof PostInvitesResponses];

export type PostInvitesMultiuseData = {
    body?: {
        /**
         * null: it never expires.
         */
        invite_expires_in_minutes?: number | null;
        /**
         * Role of those who join: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        invite_as?: 100 | 200 | 300 | 400 | 600;
        /**
         * Groups that the new user joins.
         */
        group_ids?: Array<number>;
        /**
         * Also the default channels, as they are then.
         */
        include_realm_default_subscriptions?: boolean;
        /**
         * Markdown that the welcome bot sends: absent for the text of the organization, empty for none.
         */
        welcome_message_custom_text?: string | null;
        /**
         * Channels that new users are subscribed to.
         */
        stream_ids?: Array<number>;
    };
    path?: never;
    query?: never;
    url: '/api/v1/invites/multiuse';
};

export type PostInvitesMultiuseErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostInvitesMultiuseError = PostInvitesMultiuseErrors[keyof PostInvitesMultiuseErrors];

export type PostInvitesMultiuseResponses = {
    /**
     * Success
     */
    200: Success & {
        invite_link: string;
    };
};

export type PostInvitesMultiuseResponse = PostInvitesMultiuseResponses[keyof PostInvitesMultiuseResponses];

export type DeleteInvitesMultiuseByInviteIdData = {
    body?: never;
    path: {
        /**
         * ID of the invitation.
         */
        invite_id: number;
    };
    query?: never;
    url: '/api/v1/invites/multiuse/{invite_id}';
};

export type DeleteInvitesMultiuseByInviteIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteInvitesMultiuseByInviteIdError = DeleteInvitesMultiuseByInviteIdErrors[keyof DeleteInvitesMultiuseByInviteIdErrors];

export type DeleteInvitesMultiuseByInviteIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteInvitesMultiuseByInviteIdResponse = DeleteInvitesMultiuseByInviteIdResponses[keyof DeleteInvitesMultiuseByInviteIdResponses];

export type DeleteInvitesByInviteIdData = {
    body?: never;
    path: {
        /**
         * ID of the invitation.
         */
        invite_id: number;
    };
    query?: never;
    url: '/api/v1/invites/{invite_id}';
};

export type DeleteInvitesByInviteIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteInvitesByInviteIdError = DeleteInvitesByInviteIdErrors[keyof DeleteInvitesByInviteIdErrors];

export type DeleteInvitesByInviteIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteInvitesByInviteIdResponse = DeleteInvitesByInviteIdResponses[keyof DeleteInvitesByInviteIdResponses];

export type PostInvitesByInviteIdResendData = {
    body?: never;
    path: {
        /**
         * ID of the invitation.
         */
        invite_id: number;
    };
    query?: never;
    url: '/api/v1/invites/{invite_id}/resend';
};

export type PostInvitesByInviteIdResendErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostInvitesByInviteIdResendError = PostInvitesByInviteIdResendErrors[keyof PostInvitesByInviteIdResendErrors];

export type PostInvitesByInviteIdResendResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostInvitesByInviteIdResendResponse = PostInvitesByInviteIdResendResponses[keyof PostInvitesByInviteIdResendResponses];

export type GetExportRealmData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/export/realm';
};

export type GetExportRealmErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetExportRealmError = GetExportRealmErrors[keyof GetExportRealmErrors];

export type GetExportRealmResponses = {
    /**
     * Success
     */
    200: Success & {
        exports: Array<Export>;
    };
};

export type GetExportRealmResponse = GetExportRealmResponses[keyof GetExportRealmResponses];

export type PostExportRealmData = {
    body?: {
        /**
         * 1 what is public, 2 with what people consent to.
         */
        export_type?: 1 | 2;
    };
    path?: never;
    query?: never;
    url: '/api/v1/export/realm';
};

export type PostExportRealmErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostExportRealmError = PostExportRealmErrors[keyof PostExportRealmErrors];

export type PostExportRealmResponses = {
    /**
     * Success
     */
    200: Success & {
        id: number;
    };
};

export type PostExportRealmResponse = PostExportRealmResponses[keyof PostExportRealmResponses];

export type GetExportRealmConsentsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v1/export/realm/consents';
};

export type GetExportRealmConsentsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetExportRealmConsentsError = GetExportRealmConsentsErrors[keyof GetExportRealmConsentsErrors];

export type GetExportRealmConsentsResponses = {
    /**
     * Success
     */
    200: Success & {
        export_consents: Array<{
            user_id: number;
            consented: boolean;
        }>;
    };
};

export type GetExportRealmConsentsResponse = GetExportRealmConsentsResponses[keyof GetExportRealmConsentsResponses];

export type DeleteExportRealmByExportIdData = {
    body?: never;
    path: {
        /**
         * ID of the export.
         */
        export_id: number;
    };
    query?: never;
    url: '/api/v1/export/realm/{export_id}';
};

export type DeleteExportRealmByExportIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type DeleteExportRealmByExportIdError = DeleteExportRealmByExportIdErrors[keyof DeleteExportRealmByExportIdErrors];

export type DeleteExportRealmByExportIdResponses = {
    /**
     * Success
     */
    200: Success;
};

export type DeleteExportRealmByExportIdResponse = DeleteExportRealmByExportIdResponses[keyof DeleteExportRealmByExportIdResponses];

export type GetServerExports1ByExportIdByTokenByNameData = {
    body?: never;
    path: {
        /**
         * Its name.
         */
        name: string;
        /**
         * The credential in the address, or the token of the device.
         */
        token: string;
        /**
         * ID of the export.
         */
        export_id: number;
    };
    query?: never;
    url: '/exports/1/{export_id}/{token}/{name}';
};

export type GetServerExports1ByExportIdByTokenByNameErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetServerExports1ByExportIdByTokenByNameError = GetServerExports1ByExportIdByTokenByNameErrors[keyof GetServerExports1ByExportIdByTokenByNameErrors];

export type GetServerExports1ByExportIdByTokenByNameResponses = {
    /**
     * The content
     */
    200: Blob | File;
};

export type GetServerExports1ByExportIdByTokenByNameResponse = GetServerExports1ByExportIdByTokenByNameResponses[keyof GetServerExports1ByExportIdByTokenByNameResponses];

export type PostCallsZoomCreateData = {
    body?: {
        /**
         * With video; otherwise voices alone.
         */
        is_video_call?: boolean;
    };
    path?: never;
    query?: never;
    url: '/api/v1/calls/zoom/create';
};

export type PostCallsZoomCreateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostCallsZoomCreateError = PostCallsZoomCreateErrors[keyof PostCallsZoomCreateErrors];

export type PostCallsZoomCreateResponses = {
    /**
     * Success
     */
    200: Success & {
        url: string;
    };
};

export type PostCallsZoomCreateResponse = PostCallsZoomCreateResponses[keyof PostCallsZoomCreateResponses];

export type GetCallsBigbluebuttonCreateData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Name of the meeting.
         */
        meeting_name: string;
        /**
         * Cameras stay off.
         */
        voice_only?: boolean;
    };
    url: '/api/v1/calls/bigbluebutton/create';
};

export type GetCallsBigbluebuttonCreateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetCallsBigbluebuttonCreateError = GetCallsBigbluebuttonCreateErrors[keyof GetCallsBigbluebuttonCreateErrors];

export type GetCallsBigbluebuttonCreateResponses = {
    /**
     * Success
     */
    200: Success & {
        url: string;
    };
};

export type GetCallsBigbluebuttonCreateResponse = GetCallsBigbluebuttonCreateResponses[keyof GetCallsBigbluebuttonCreateResponses];

export type GetOperatorGroupsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * ID after which the page begins.
         */
        after?: number;
        /**
         * Rows at most.
         */
        limit?: number;
    };
    url: '/api/v1/operator/groups';
};

export type GetOperatorGroupsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorGroupsError = GetOperatorGroupsErrors[keyof GetOperatorGroupsErrors];

export type GetOperatorGroupsResponses = {
    /**
     * Success
     */
    200: Success & {
        groups: Array<{
            group_id: number;
            name: string;
            is_system_group: boolean;
            is_deactivated: boolean;
            /**
             * Number of them; null for system groups.
             */
            direct_members: number | null;
            direct_subgroups: number;
            creator_id: number | null;
        }>;
        is_last: boolean;
    };
};

export type GetOperatorGroupsResponse = GetOperatorGroupsResponses[keyof GetOperatorGroupsResponses];

export type GetOperatorPendingData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Of this kind alone.
         */
        kind?: string;
        /**
         * Rows of each kind at most, those that are tried next.
         */
        limit?: number;
    };
    url: '/api/v1/operator/pending';
};

export type GetOperatorPendingErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorPendingError = GetOperatorPendingErrors[keyof GetOperatorPendingErrors];

export type GetOperatorPendingResponses = {
    /**
     * Success
     */
    200: Success & {
        pending: Array<PendingWork>;
        /**
         * Kinds of which there is more than was asked for.
         */
        more_of: Array<string>;
    };
};

export type GetOperatorPendingResponse = GetOperatorPendingResponses[keyof GetOperatorPendingResponses];

export type GetOperatorPendingByKindByIdData = {
    body?: never;
    path: {
        /**
         * Which kind of work.
         */
        kind: string;
        /**
         * Its ID.
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/operator/pending/{kind}/{id}';
};

export type GetOperatorPendingByKindByIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorPendingByKindByIdError = GetOperatorPendingByKindByIdErrors[keyof GetOperatorPendingByKindByIdErrors];

export type GetOperatorPendingByKindByIdResponses = {
    /**
     * Success
     */
    200: Success & {
        pending: PendingWork;
        history: Array<{
            type: string;
            at: number;
            reason: string | null;
        }>;
    };
};

export type GetOperatorPendingByKindByIdResponse = GetOperatorPendingByKindByIdResponses[keyof GetOperatorPendingByKindByIdResponses];

export type PostOperatorPendingByKindRetryData = {
    body?: never;
    path: {
        /**
         * Which kind of work.
         */
        kind: string;
    };
    query?: never;
    url: '/api/v1/operator/pending/{kind}/retry';
};

export type PostOperatorPendingByKindRetryErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorPendingByKindRetryError = PostOperatorPendingByKindRetryErrors[keyof PostOperatorPendingByKindRetryErrors];

export type PostOperatorPendingByKindRetryResponses = {
    /**
     * Success
     */
    200: Success & {
        retried: number;
    };
};

export type PostOperatorPendingByKindRetryResponse = PostOperatorPendingByKindRetryResponses[keyof PostOperatorPendingByKindRetryResponses];

export type PostOperatorPendingByKindByIdRetryData = {
    body?: never;
    path: {
        /**
         * Which kind of work.
         */
        kind: string;
        /**
         * Its ID.
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/operator/pending/{kind}/{id}/retry';
};

export type PostOperatorPendingByKindByIdRetryErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorPendingByKindByIdRetryError = PostOperatorPendingByKindByIdRetryErrors[keyof PostOperatorPendingByKindByIdRetryErrors];

export type PostOperatorPendingByKindByIdRetryResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostOperatorPendingByKindByIdRetryResponse = PostOperatorPendingByKindByIdRetryResponses[keyof PostOperatorPendingByKindByIdRetryResponses];

export type PostOperatorPendingByKindByIdDropData = {
    body: {
        /**
         * Recorded with the event that gives it up.
         */
        reason: string;
    };
    path: {
        /**
         * Which kind of work.
         */
        kind: string;
        /**
         * Its ID.
         */
        id: string;
    };
    query?: never;
    url: '/api/v1/operator/pending/{kind}/{id}/drop';
};

export type PostOperatorPendingByKindByIdDropErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorPendingByKindByIdDropError = PostOperatorPendingByKindByIdDropErrors[keyof PostOperatorPendingByKindByIdDropErrors];

export type PostOperatorPendingByKindByIdDropResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostOperatorPendingByKindByIdDropResponse = PostOperatorPendingByKindByIdDropResponses[keyof PostOperatorPendingByKindByIdDropResponses];

export type GetOperatorUsersData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * ID after which the page begins.
         */
        after?: number;
        /**
         * Rows at most.
         */
        limit?: number;
    };
    url: '/api/v1/operator/users';
};

export type GetOperatorUsersErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorUsersError = GetOperatorUsersErrors[keyof GetOperatorUsersErrors];

export type GetOperatorUsersResponses = {
    /**
     * Success
     */
    200: Success & {
        users: Array<OperatorUser>;
        is_last: boolean;
    };
};

export type GetOperatorUsersResponse = GetOperatorUsersResponses[keyof GetOperatorUsersResponses];

export type GetOperatorUsersByUserData = {
    body?: never;
    path: {
        /**
         * ID or address of the account.
         */
        user: string;
    };
    query?: never;
    url: '/api/v1/operator/users/{user}';
};

export type GetOperatorUsersByUserErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorUsersByUserError = GetOperatorUsersByUserErrors[keyof GetOperatorUsersByUserErrors];

export type GetOperatorUsersByUserResponses = {
    /**
     * Success
     */
    200: Success & {
        user: OperatorUser;
    };
};

export type GetOperatorUsersByUserResponse = GetOperatorUsersByUserResponses[keyof GetOperatorUsersByUserResponses];

export type PostOperatorUsersByUserRoleData = {
    body: {
        /**
         * Role of the account: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        role: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';
    };
    path: {
        /**
         * ID or address of the account.
         */
        user: string;
    };
    query?: never;
    url: '/api/v1/operator/users/{user}/role';
};

export type PostOperatorUsersByUserRoleErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorUsersByUserRoleError = PostOperatorUsersByUserRoleErrors[keyof PostOperatorUsersByUserRoleErrors];

export type PostOperatorUsersByUserRoleResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostOperatorUsersByUserRoleResponse = PostOperatorUsersByUserRoleResponses[keyof PostOperatorUsersByUserRoleResponses];

export type PostOperatorUsersByUserDeactivateData = {
    body?: {
        /**
         * Told to the person by mail.
         */
        comment?: string;
    };
    path: {
        /**
         * ID or address of the account.
         */
        user: string;
    };
    query?: never;
    url: '/api/v1/operator/users/{user}/deactivate';
};

export type PostOperatorUsersByUserDeactivateErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorUsersByUserDeactivateError = PostOperatorUsersByUserDeactivateErrors[keyof PostOperatorUsersByUserDeactivateErrors];

export type PostOperatorUsersByUserDeactivateResponses = {
    /**
     * Success
     */
    200: Success;
};

export type PostOperatorUsersByUserDeactivateResponse = PostOperatorUsersByUserDeactivateResponses[keyof PostOperatorUsersByUserDeactivateResponses];

export type PostOperatorUsersByUserResetPasswordData = {
    body?: {
        /**
         * Send the link to the person, instead of answering with it.
         */
        mail?: boolean;
    };
    path: {
        /**
         * ID or address of the account.
         */
        user: string;
    };
    query?: never;
    url: '/api/v1/operator/users/{user}/reset-password';
};

export type PostOperatorUsersByUserResetPasswordErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorUsersByUserResetPasswordError = PostOperatorUsersByUserResetPasswordErrors[keyof PostOperatorUsersByUserResetPasswordErrors];

export type PostOperatorUsersByUserResetPasswordResponses = {
    /**
     * Success
     */
    200: Success & {
        link: string | null;
    };
};

export type PostOperatorUsersByUserResetPasswordResponse = PostOperatorUsersByUserResetPasswordResponses[keyof PostOperatorUsersByUserResetPasswordResponses];

export type PostOperatorInvitationsData = {
    body: {
        /**
         * E-mail addresses, separated by commas or line breaks.
         */
        emails: string;
        /**
         * Role of the account: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.
         */
        role?: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';
    };
    path?: never;
    query?: never;
    url: '/api/v1/operator/invitations';
};

export type PostOperatorInvitationsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type PostOperatorInvitationsError = PostOperatorInvitationsErrors[keyof PostOperatorInvitationsErrors];

export type PostOperatorInvitationsResponses = {
    /**
     * Success
     */
    200: Success & {
        invited: number;
    };
};

export type PostOperatorInvitationsResponse = PostOperatorInvitationsResponses[keyof PostOperatorInvitationsResponses];

export type GetOperatorQueuesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Rows at most: the queues that are the farthest behind.
         */
        limit?: number;
    };
    url: '/api/v1/operator/queues';
};

export type GetOperatorQueuesErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetOperatorQueuesError = GetOperatorQueuesErrors[keyof GetOperatorQueuesErrors];

export type GetOperatorQueuesResponses = {
    /**
     * Success
     */
    200: Success & {
        total: number;
        /**
         * Polls that wait.
         */
        held: number;
        queues: Array<{
            queue_id: string;
            user_id: number;
            full_name: string | null;
            is_held: boolean;
            idle_seconds: number;
            lifespan_seconds: number;
            /**
             * Positions of the log that it has not been told of.
             */
            behind: number;
        }>;
    };
};

export type GetOperatorQueuesResponse = GetOperatorQueuesResponses[keyof GetOperatorQueuesResponses];

export type GetAuditAuditsData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
    };
    url: '/api/v1/audit/audits';
};

export type GetAuditAuditsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditAuditsError = GetAuditAuditsErrors[keyof GetAuditAuditsErrors];

export type GetAuditAuditsResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditMessagesByMessageIdData = {
    body?: never;
    path: {
        /**
         * ID of the message.
         */
        message_id: number;
    };
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
    };
    url: '/api/v1/audit/messages/{message_id}';
};

export type GetAuditMessagesByMessageIdErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditMessagesByMessageIdError = GetAuditMessagesByMessageIdErrors[keyof GetAuditMessagesByMessageIdErrors];

export type GetAuditMessagesByMessageIdResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditTopicData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * ID or name of the channel.
         */
        channel: string;
        /**
         * The topic.
         */
        topic: string;
    };
    url: '/api/v1/audit/topic';
};

export type GetAuditTopicErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditTopicError = GetAuditTopicErrors[keyof GetAuditTopicErrors];

export type GetAuditTopicResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditChannelData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * ID or name of the channel.
         */
        channel: string;
    };
    url: '/api/v1/audit/channel';
};

export type GetAuditChannelErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditChannelError = GetAuditChannelErrors[keyof GetAuditChannelErrors];

export type GetAuditChannelResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditUserData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * ID, e-mail address or full name of the user.
         */
        user: string;
    };
    url: '/api/v1/audit/user';
};

export type GetAuditUserErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditUserError = GetAuditUserErrors[keyof GetAuditUserErrors];

export type GetAuditUserResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditGroupData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * ID or name of the group.
         */
        group: string;
    };
    url: '/api/v1/audit/group';
};

export type GetAuditGroupErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditGroupError = GetAuditGroupErrors[keyof GetAuditGroupErrors];

export type GetAuditGroupResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditSettingData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * Name of a setting, a permission or a list of the organization.
         */
        setting: string;
    };
    url: '/api/v1/audit/setting';
};

export type GetAuditSettingErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditSettingError = GetAuditSettingErrors[keyof GetAuditSettingErrors];

export type GetAuditSettingResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditPermissionsData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
    };
    url: '/api/v1/audit/permissions';
};

export type GetAuditPermissionsErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditPermissionsError = GetAuditPermissionsErrors[keyof GetAuditPermissionsErrors];

export type GetAuditPermissionsResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditAccessData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * ID or name of a channel: who could read it.
         */
        channel?: string;
        /**
         * Who could read the message.
         */
        message_id?: number;
        /**
         * Only about this user, by ID, e-mail address or full name.
         */
        user?: string;
        /**
         * Which channels this user could read.
         */
        could_read?: string;
    };
    url: '/api/v1/audit/access';
};

export type GetAuditAccessErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditAccessError = GetAuditAccessErrors[keyof GetAuditAccessErrors];

export type GetAuditAccessResponses = {
    /**
     * The content
     */
    200: unknown;
};

export type GetAuditSearchData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Why you ask. It is recorded with your call.
         */
        reason: string;
        /**
         * UNIX seconds, a time in ISO form, or @ and a position of the log: the answer is as of then.
         */
        as_of?: string;
        /**
         * Words that a wording has, all of them, in any form and order.
         */
        words: string;
    };
    url: '/api/v1/audit/search';
};

export type GetAuditSearchErrors = {
    /**
     * Refused
     */
    '4XX': Failure;
};

export type GetAuditSearchError = GetAuditSearchErrors[keyof GetAuditSearchErrors];

export type GetAuditSearchResponses = {
    /**
     * The content
     */
    200: unknown;
};
