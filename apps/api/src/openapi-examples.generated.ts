// Answers of the recorded session by operation ID: npm run session -- --examples
export const EXAMPLES: Readonly<Record<string, object>> = {
 "getOperatorProjections": {
  "result": "success",
  "msg": "",
  "state": "live",
  "position": 51,
  "head": 51,
  "lagEvents": 0,
  "lagMs": 0,
  "waiting": 0,
  "participants": [
   {
    "name": "messages",
    "rebuildable": true,
    "position": 51,
    "lagEvents": 0,
    "handled": 5,
    "eventsPerSecond": 1
   },
   {
    "name": "keyed_sends",
    "rebuildable": true,
    "position": 51,
    "lagEvents": 0,
    "handled": 5,
    "eventsPerSecond": 1
   }
  ],
  "rebuilds": [],
  "work": [
   {
    "name": "follow-ups",
    "isRunning": false,
    "turns": 1,
    "failures": 0
   },
   {
    "name": "timers",
    "isRunning": false,
    "turns": 7,
    "failures": 0
   }
  ]
 },
 "getEvents": {
  "result": "success",
  "msg": "",
  "events": [
   {
    "type": "invites_changed",
    "id": 476160
   }
  ],
  "queue_id": "<uuid>"
 },
 "deleteEvents": {
  "result": "success",
  "msg": ""
 },
 "getServerStaticEmojiJson": {
  "code_to_names": {
   "2049": [
    "interrobang"
   ],
   "2122": [
    "tm",
    "trademark"
   ]
  },
  "groups": [
   {
    "name": "smileys",
    "codes": [
     "1f600",
     "1f603",
     "1f604",
     "1f601",
     "1f606",
     "1f605",
     "1f923",
     "1f602",
     "1f642",
     "1f643"
    ]
   },
   {
    "name": "people",
    "codes": [
     "1f44b",
     "1f91a",
     "1f590",
     "270b",
     "1f596",
     "1faf1",
     "1faf2",
     "1faf3",
     "1faf4",
     "1faf7"
    ]
   }
  ]
 },
 "postRegister": {
  "result": "success",
  "msg": "",
  "max_message_id": -1,
  "realm_is_zephyr_mirror_realm": false,
  "realm_plan_type": 1,
  "realm_push_notifications_enabled": true,
  "realm_push_notifications_enabled_end_timestamp": null,
  "realm_empty_topic_display_name": "general chat",
  "realm_default_external_accounts": {
   "github": {
    "name": "GitHub",
    "text": "GitHub",
    "hint": "Enter your GitHub username",
    "url_pattern": "https://github.com/%(username)s"
   },
   "twitter": {
    "name": "Twitter username",
    "text": "Twitter",
    "hint": "Enter your Twitter username",
    "url_pattern": "https://twitter.com/%(username)s"
   }
  },
  "max_message_length": 10000,
  "max_topic_length": 60,
  "max_stream_name_length": 60,
  "max_stream_description_length": 1024,
  "max_channel_folder_name_length": 100,
  "max_channel_folder_description_length": 1024,
  "max_reminder_note_length": 1000,
  "max_bulk_new_subscription_messages": 100,
  "max_avatar_file_size_mib": 5,
  "max_icon_file_size_mib": 5,
  "max_logo_file_size_mib": 5,
  "password_min_length": 6,
  "password_max_length": 100,
  "password_min_guesses": 10000,
  "server_presence_ping_interval_seconds": 60,
  "server_presence_offline_threshold_seconds": 200,
  "server_typing_started_expiry_period_milliseconds": 45000,
  "server_typing_stopped_wait_period_milliseconds": 12000,
  "server_typing_started_wait_period_milliseconds": 30000,
  "event_queue_longpoll_timeout_seconds": 90,
  "server_inline_image_preview": true,
  "server_inline_url_embed_preview": false,
  "server_avatar_changes_disabled": false,
  "server_name_changes_disabled": false,
  "server_web_public_streams_enabled": true,
  "settings_send_digest_emails": false,
  "server_jitsi_server_url": null,
  "server_can_summarize_topics": false,
  "server_needs_upgrade": false,
  "development_environment": false,
  "server_min_deactivated_realm_deletion_days": 14,
  "server_max_deactivated_realm_deletion_days": null,
  "server_thumbnail_formats": [
   {
    "name": "840x560-anim.webp",
    "max_width": 840,
    "max_height": 560,
    "format": "webp",
    "animated": true
   },
   {
    "name": "840x560.webp",
    "max_width": 840,
    "max_height": 560,
    "format": "webp",
    "animated": false
   }
  ],
  "server_report_message_types": [
   {
    "key": "spam",
    "name": "Spam"
   },
   {
    "key": "harassment",
    "name": "Harassment"
   }
  ],
  "giphy_rating_options": {
   "disabled": {
    "id": 0,
    "name": "GIPHY integration disabled"
   },
   "y": {
    "id": 1,
    "name": "Allow GIFs rated Y (Very young audience)"
   },
   "g": {
    "id": 2,
    "name": "Allow GIFs rated G (General audience)"
   },
   "pg": {
    "id": 3,
    "name": "Allow GIFs rated PG (Parental guidance)"
   },
   "pg-13": {
    "id": 4,
    "name": "Allow GIFs rated PG-13 (Parental guidance - under 13)"
   },
   "r": {
    "id": 5,
    "name": "Allow GIFs rated R (Restricted)"
   }
  },
  "zulip_plan_is_not_limited": true,
  "upgrade_text_for_wide_organization_logo": "",
  "realm_name": "Scrollback",
  "realm_description": "",
  "realm_org_type": 0,
  "realm_default_language": "en",
  "realm_invite_required": true,
  "realm_want_advertise_in_communities_directory": false,
  "realm_emails_restricted_to_domains": false,
  "realm_disallow_disposable_email_addresses": true,
  "realm_require_unique_names": false,
  "realm_waiting_period_threshold": 0,
  "realm_audit_needs_approval": false,
  "realm_name_changes_disabled": false,
  "realm_email_changes_disabled": false,
  "realm_avatar_changes_disabled": false,
  "realm_allow_message_editing": false,
  "realm_message_content_edit_limit_seconds": 600,
  "realm_message_content_delete_limit_seconds": 600,
  "realm_move_messages_within_stream_limit_seconds": 604800,
  "realm_move_messages_between_streams_limit_seconds": 604800,
  "realm_message_edit_history_visibility_policy": "all",
  "realm_message_retention_days": -1,
  "realm_topics_policy": "allow_empty_topic",
  "realm_enable_read_receipts": true,
  "realm_presence_disabled": true,
  "realm_enable_guest_user_indicator": true,
  "realm_enable_guest_user_dm_warning": true,
  "realm_enable_spectator_access": true,
  "realm_inline_image_preview": true,
  "realm_inline_url_embed_preview": false,
  "realm_video_chat_provider": 1,
  "realm_authentication_methods": {
   "Email": {
    "enabled": true,
    "available": true
   },
   "Dev": {
    "enabled": true,
    "available": true
   }
  },
  "realm_jitsi_server_url": null,
  "realm_giphy_rating": 2,
  "realm_default_code_block_language": "",
  "realm_welcome_message_custom_text": "",
  "realm_new_stream_announcements_stream_id": 1,
  "realm_signup_announcements_stream_id": -1,
  "realm_zulip_update_announcements_stream_id": -1,
  "realm_moderation_request_channel_id": 3,
  "realm_digest_emails_enabled": false,
  "realm_digest_weekday": 1,
  "realm_send_welcome_emails": true,
  "realm_message_content_allowed_in_email_notifications": true,
  "realm_require_e2ee_push_notifications": false,
  "realm_send_channel_events_messages": true,
  "realm_icon_url": "/static/icon.svg",
  "realm_icon_source": "G",
  "realm_logo_url": "/static/icon.svg",
  "realm_logo_source": "D",
  "realm_night_logo_url": "/static/icon.svg",
  "realm_night_logo_source": "D",
  "realm_email_auth_enabled": true,
  "realm_password_auth_enabled": true,
  "realm_allow_edit_history": true,
  "realm_mandatory_topics": false,
  "realm_create_multiuse_invite_group": 2,
  "realm_can_access_all_users_group": 6,
  "realm_can_audit_group": 8,
  "realm_can_add_custom_emoji_group": 5,
  "realm_can_add_subscribers_group": 5,
  "realm_can_create_bots_group": 5,
  "realm_can_create_write_only_bots_group": 5,
  "realm_can_create_groups": 5,
  "realm_can_create_public_channel_group": 5,
  "realm_can_create_private_channel_group": 5,
  "realm_can_create_web_public_channel_group": 1,
  "realm_can_delete_any_message_group": 2,
  "realm_can_delete_own_message_group": 6,
  "realm_can_invite_users_group": 5,
  "realm_can_manage_all_groups": 1,
  "realm_can_manage_billing_group": 2,
  "realm_can_mention_many_users_group": 2,
  "realm_can_move_messages_between_channels_group": 5,
  "realm_can_move_messages_between_topics_group": 6,
  "realm_can_resolve_topics_group": 6,
  "realm_can_set_delete_message_policy_group": 3,
  "realm_can_set_topics_policy_group": 5,
  "realm_can_summarize_topics_group": 6,
  "realm_direct_message_initiator_group": 6,
  "realm_direct_message_permission_group": 6,
  "realm_add_custom_emoji_policy": 1,
  "realm_bot_creation_policy": 1,
  "realm_user_group_edit_policy": 1,
  "realm_create_public_stream_policy": 1,
  "realm_create_private_stream_policy": 1,
  "realm_create_web_public_stream_policy": 7,
  "realm_delete_own_message_policy": 5,
  "realm_invite_to_realm_policy": 1,
  "realm_invite_to_stream_policy": 1,
  "realm_move_messages_between_streams_policy": 1,
  "realm_edit_topic_policy": 5,
  "realm_wildcard_mention_policy": 5,
  "jitsi_server_url": null,
  "realm_available_video_chat_providers": {
   "disabled": {
    "id": 0,
    "name": "None"
   },
   "jitsi_meet": {
    "id": 1,
    "name": "Jitsi Meet"
   },
   "zoom": {
    "id": 3,
    "name": "Zoom"
   },
   "big_blue_button": {
    "id": 4,
    "name": "BigBlueButton"
   }
  },
  "max_file_upload_size_mib": 25,
  "realm_upload_quota_mib": null,
  "server_generation": 1767603600,
  "realm_uuid": "<uuid>",
  "realm_date_created": 1767603600,
  "realm_url": "http://chat.example.test",
  "realm_uri": "http://chat.example.test",
  "realm_bot_domain": "chat.example.test",
  "server_emoji_data_url": "http://chat.example.test/static/emoji.json",
  "realm_users": [
   {
    "user_id": 4,
    "delivery_email": null,
    "email": "olive@example.test",
    "full_name": "Olive Owner",
    "date_joined": "2026-01-05",
    "is_active": true,
    "is_owner": true,
    "is_admin": true,
    "is_guest": false,
    "is_bot": false,
    "bot_type": null,
    "bot_owner_id": null,
    "role": 100,
    "avatar_url": "/user_avatars/1/<hex>.png?version=1",
    "avatar_version": 1
   },
   {
    "user_id": 5,
    "delivery_email": null,
    "email": "ann.archer@example.test",
    "full_name": "Ann Archer",
    "date_joined": "2026-01-05",
    "is_active": true,
    "is_owner": false,
    "is_admin": false,
    "is_guest": false,
    "is_bot": false,
    "bot_type": null,
    "bot_owner_id": null,
    "role": 400,
    "avatar_url": "/user_avatars/1/<hex>.png?version=4",
    "avatar_version": 4
   }
  ],
  "realm_non_active_users": [
   {
    "user_id": 12,
    "delivery_email": null,
    "email": "short-bot@chat.example.test",
    "full_name": "Shortlived",
    "date_joined": "2026-01-05",
    "is_active": false,
    "is_owner": false,
    "is_admin": false,
    "is_guest": false,
    "is_bot": true,
    "bot_type": 1,
    "bot_owner_id": 5,
    "role": 400,
    "avatar_url": "/user_avatars/1/<hex>.png?version=1",
    "avatar_version": 1
   }
  ],
  "user_id": 0,
  "email": "",
  "delivery_email": "",
  "full_name": "",
  "avatar_source": "G",
  "avatar_url": "/user_avatars/1/<hex>.png?version=1",
  "is_owner": false,
  "is_admin": false,
  "is_moderator": false,
  "is_guest": true,
  "can_create_public_streams": false,
  "can_create_private_streams": false,
  "can_create_web_public_streams": false,
  "can_create_streams": false,
  "can_invite_others_to_realm": false,
  "queue_id": null,
  "last_event_id": -1,
  "service_feature_level": 421,
  "service_version": "0.1.0",
  "service_merge_base": "0.1.0",
  "zulip_feature_level": 421,
  "zulip_version": "11.0",
  "zulip_merge_base": "11.0"
 },
 "postMessages": {
  "result": "success",
  "msg": "",
  "id": 30
 },
 "getMessages": {
  "result": "success",
  "msg": "",
  "messages": [
   {
    "id": 30,
    "type": "stream",
    "stream_id": 2,
    "display_recipient": "kitchen",
    "recipient_id": 4,
    "subject": "soup",
    "content": "@**Ann Archer** I do, with `salt` and @*chefs*",
    "content_type": "text/x-markdown",
    "sender_id": 6,
    "sender_email": "ben.baker@example.test",
    "sender_full_name": "Ben Baker",
    "sender_realm_str": "",
    "avatar_url": null,
    "client": "ScrollbackSession",
    "timestamp": 1767603824,
    "is_me_message": false,
    "flags": [],
    "reactions": [],
    "submessages": [],
    "topic_links": []
   }
  ],
  "anchor": 1024,
  "found_anchor": false,
  "found_oldest": true,
  "found_newest": true,
  "history_limited": false
 },
 "patchMessagesByMessageId": {
  "result": "success",
  "msg": "",
  "detached_uploads": []
 },
 "deleteMessagesByMessageId": {
  "result": "success",
  "msg": ""
 },
 "getMessagesByMessageId": {
  "result": "success",
  "msg": "",
  "message": {
   "id": 29,
   "type": "stream",
   "stream_id": 2,
   "display_recipient": "kitchen",
   "recipient_id": 4,
   "subject": "soup",
   "content": "<p>Who likes <strong>soup</strong>? <span aria-label=\"smile\" class=\"emoji emoji-1f642\" role=\"img\" title=\"smile\">:smile:</span> <a href=\"https://example.test/\">https://example.test/</a></p>",
   "content_type": "text/html",
   "sender_id": 5,
   "sender_email": "ann.archer@example.test",
   "sender_full_name": "Ann Archer",
   "sender_realm_str": "",
   "avatar_url": "/user_avatars/1/<hex>.png?version=4",
   "client": "ScrollbackSession",
   "timestamp": 1767603823,
   "is_me_message": false,
   "flags": [],
   "reactions": [],
   "submessages": [],
   "topic_links": []
  },
  "raw_content": "Who likes **soup**? :smile: https://example.test/"
 },
 "postMessagesByMessageIdReactions": {
  "result": "success",
  "msg": ""
 },
 "deleteMessagesByMessageIdReactions": {
  "result": "success",
  "msg": ""
 },
 "postStreamsByStreamIdDeleteTopic": {
  "result": "success",
  "msg": "",
  "complete": true
 },
 "postMessagesByMessageIdReport": {
  "result": "success",
  "msg": ""
 },
 "postSubmessage": {
  "result": "success",
  "msg": ""
 },
 "postTyping": {
  "result": "success",
  "msg": ""
 },
 "postMessagesByMessageIdTyping": {
  "result": "success",
  "msg": ""
 },
 "postMessagesFlags": {
  "result": "success",
  "msg": "",
  "messages": [
   29
  ]
 },
 "postMessagesFlagsNarrow": {
  "result": "success",
  "msg": "",
  "processed_count": 11,
  "updated_count": 11,
  "first_processed_id": 8,
  "last_processed_id": 50,
  "found_oldest": true,
  "found_newest": true
 },
 "postMarkAllAsRead": {
  "result": "success",
  "msg": "",
  "complete": true
 },
 "postMarkStreamAsRead": {
  "result": "success",
  "msg": ""
 },
 "postMarkTopicAsRead": {
  "result": "success",
  "msg": ""
 },
 "getMessagesMatchesNarrow": {
  "result": "success",
  "msg": "",
  "messages": {
   "29": {
    "match_content": "<p>Who likes <strong><span class=\"highlight\">soup</span></strong>? <span aria-label=\"smile\" class=\"emoji emoji-1f642\" role=\"img\" title=\"smile\">:smile:</span> <a href=\"https://example.test/\">https://example.test/</a></p>",
    "match_subject": "<span class=\"highlight\">soup</span>"
   },
   "30": {
    "match_content": "<p><span class=\"user-mention\" data-user-id=\"5\">@Ann Archer</span> I do, with <code>salt</code> and <span class=\"user-group-mention\" data-user-group-id=\"9\">@chefs</span></p>",
    "match_subject": "<span class=\"highlight\">soup</span>"
   }
  }
 },
 "getMessagesByMessageIdHistory": {
  "result": "success",
  "msg": "",
  "message_history": [
   {
    "topic": "cake",
    "content": "Chocolate",
    "rendered_content": "<p>Chocolate</p>",
    "timestamp": 1767603850,
    "user_id": 5
   },
   {
    "topic": "cake",
    "content": "Chocolate, @**Cleo Cole**",
    "rendered_content": "<p>Chocolate, <span class=\"user-mention\" data-user-id=\"7\">@Cleo Cole</span></p>",
    "timestamp": 1767603851,
    "user_id": 5,
    "prev_content": "Chocolate",
    "prev_rendered_content": "<p>Chocolate</p>",
    "content_html_diff": "<div><p><span class=\"highlight_text_deleted\">Chocolate</span><span class=\"highlight_text_inserted\">Chocolate, @**Cleo Cole**</span></p></div>"
   }
  ]
 },
 "getMessagesByMessageIdReadReceipts": {
  "result": "success",
  "msg": "",
  "user_ids": []
 },
 "postMessagesRender": {
  "result": "success",
  "msg": "",
  "rendered": "<h1>Title</h1>\n<ul>\n<li>one</li>\n<li>two<br>\n||secret||</li>\n</ul>"
 },
 "getUsersMeByStreamIdTopics": {
  "result": "success",
  "msg": "",
  "topics": [
   {
    "name": "mine",
    "max_id": 50
   },
   {
    "name": "tart",
    "max_id": 49
   }
  ]
 },
 "postUserUploads": {
  "result": "success",
  "msg": "",
  "url": "/user_uploads/1/<random>/dot.png",
  "uri": "/user_uploads/1/<random>/dot.png",
  "filename": "dot.png"
 },
 "getUserUploadsByRealmIdByPath": {
  "result": "success",
  "msg": "",
  "url": "/user_uploads/temporary/<token>/note.txt"
 },
 "getAttachments": {
  "result": "success",
  "msg": "",
  "attachments": [
   {
    "id": 1,
    "name": "note.txt",
    "path_id": "<token>",
    "size": 6,
    "create_time": 1767607756000,
    "messages": [
     {
      "id": 61,
      "date_sent": 1767607759000
     }
    ]
   },
   {
    "id": 2,
    "name": "dot.png",
    "path_id": "<token>",
    "size": 70,
    "create_time": 1767607757000,
    "messages": [
     {
      "id": 61,
      "date_sent": 1767607759000
     }
    ]
   }
  ],
  "upload_space_used": 76
 },
 "deleteAttachmentsByAttachmentId": {
  "result": "success",
  "msg": ""
 },
 "patchRealm": {
  "result": "success",
  "msg": "",
  "can_audit_group": 8
 },
 "postRealmDeactivate": {
  "result": "success",
  "msg": ""
 },
 "postRealmTestWelcomeBotCustomMessage": {
  "result": "success",
  "msg": "",
  "message_id": 59
 },
 "getRealmLinkifiers": {
  "result": "success",
  "msg": "",
  "linkifiers": [
   {
    "id": 2,
    "pattern": "TR-(?P<id>[0-9]+)",
    "url_template": "https://example.test/{id}"
   }
  ]
 },
 "patchRealmLinkifiers": {
  "result": "success",
  "msg": ""
 },
 "postRealmLinkifiersTry": {
  "result": "success",
  "msg": "",
  "links": [
   {
    "text": "#12",
    "url": "https://example.test/12"
   }
  ]
 },
 "getRealmFilters": {
  "result": "success",
  "msg": "",
  "filters": [
   [
    "TR-(?P<id>[0-9]+)",
    "https://example.test/%(id)s",
    2
   ]
  ]
 },
 "postRealmFilters": {
  "result": "success",
  "msg": "",
  "id": 1
 },
 "patchRealmFiltersByFilterId": {
  "result": "success",
  "msg": ""
 },
 "deleteRealmFiltersByFilterId": {
  "result": "success",
  "msg": ""
 },
 "getRealmDomains": {
  "result": "success",
  "msg": "",
  "domains": [
   {
    "domain": "friends.example",
    "allow_subdomains": false
   }
  ]
 },
 "postRealmDomains": {
  "result": "success",
  "msg": "",
  "new_domain": [
   1,
   "friends.example"
  ]
 },
 "patchRealmDomainsByDomain": {
  "result": "success",
  "msg": ""
 },
 "deleteRealmDomainsByDomain": {
  "result": "success",
  "msg": ""
 },
 "postRealmPlaygrounds": {
  "result": "success",
  "msg": "",
  "id": 1
 },
 "deleteRealmPlaygroundsByPlaygroundId": {
  "result": "success",
  "msg": ""
 },
 "patchUsersByUserId": {
  "result": "success",
  "msg": ""
 },
 "deleteUsersByUserId": {
  "result": "success",
  "msg": ""
 },
 "getUsersByUserId": {
  "result": "success",
  "msg": "",
  "user": {
   "user_id": 6,
   "delivery_email": "ben.baker@example.test",
   "email": "ben.baker@example.test",
   "full_name": "Ben Baker",
   "date_joined": "2026-01-05T09:00:06.000000+00:00",
   "is_active": true,
   "is_owner": false,
   "is_admin": false,
   "is_guest": false,
   "is_bot": false,
   "bot_type": null,
   "bot_owner_id": null,
   "role": 400,
   "timezone": "",
   "avatar_url": null,
   "avatar_version": 1
  }
 },
 "deleteUsersMe": {
  "result": "success",
  "msg": ""
 },
 "getUsersMe": {
  "result": "success",
  "msg": "",
  "user_id": 11,
  "delivery_email": "helper-bot@chat.example.test",
  "email": "helper-bot@chat.example.test",
  "full_name": "Helper",
  "date_joined": "2026-01-05T09:01:46.000000+00:00",
  "is_active": true,
  "is_owner": false,
  "is_admin": false,
  "is_guest": false,
  "is_bot": true,
  "bot_type": 1,
  "bot_owner_id": 5,
  "role": 400,
  "timezone": "",
  "avatar_url": "/user_avatars/1/<hex>.png?version=1",
  "avatar_version": 1,
  "max_message_id": -1
 },
 "postUsersByUserIdReactivate": {
  "result": "success",
  "msg": ""
 },
 "postFetchApiKey": {
  "result": "success",
  "msg": "",
  "api_key": "<token>",
  "email": "olive@example.test",
  "user_id": 4
 },
 "postServerJsonFetchApiKey": {
  "result": "success",
  "msg": "",
  "api_key": "<token>",
  "email": "ben.baker@example.test"
 },
 "postUsersMeApiKeyRegenerate": {
  "result": "success",
  "msg": "",
  "api_key": "<token>"
 },
 "patchUsersMeProfileData": {
  "result": "success",
  "msg": ""
 },
 "deleteUsersMeProfileData": {
  "result": "success",
  "msg": ""
 },
 "getRealmProfileFields": {
  "result": "success",
  "msg": "",
  "custom_fields": [
   {
    "id": 1,
    "name": "Maxim",
    "type": 1,
    "hint": "Long",
    "field_data": "",
    "order": 0,
    "required": false,
    "editable_by_user": true,
    "display_in_profile_summary": true
   }
  ]
 },
 "postRealmProfileFields": {
  "result": "success",
  "msg": "",
  "id": 1
 },
 "patchRealmProfileFields": {
  "result": "success",
  "msg": ""
 },
 "patchRealmProfileFieldsByFieldId": {
  "result": "success",
  "msg": ""
 },
 "deleteRealmProfileFieldsByFieldId": {
  "result": "success",
  "msg": ""
 },
 "getServerSettings": {
  "result": "success",
  "msg": "",
  "service_feature_level": 421,
  "service_version": "0.1.0",
  "service_merge_base": "0.1.0",
  "zulip_feature_level": 421,
  "zulip_version": "11.0",
  "zulip_merge_base": "11.0",
  "authentication_methods": {
   "password": true,
   "email": true,
   "dev": true,
   "openid connect": false,
   "ldap": false,
   "remoteuser": false,
   "saml": false,
   "github": false,
   "gitlab": false,
   "google": false,
   "apple": false,
   "azuread": false
  },
  "external_authentication_methods": [],
  "push_notifications_enabled": true,
  "is_incompatible": false,
  "email_auth_enabled": true,
  "require_email_format_usernames": true,
  "realm_url": "http://chat.example.test",
  "realm_uri": "http://chat.example.test",
  "realm_name": "Scrollback",
  "realm_icon": "/static/icon.svg",
  "realm_description": "",
  "realm_web_public_access_enabled": false
 },
 "getServerCompatibility": {
  "result": "success",
  "msg": ""
 },
 "getUsers": {
  "result": "success",
  "msg": "",
  "members": [
   {
    "user_id": 5,
    "delivery_email": "ann.archer@example.test",
    "email": "ann.archer@example.test",
    "full_name": "Ann Archer",
    "date_joined": "2026-01-05T09:00:04.000000+00:00",
    "is_active": true,
    "is_owner": false,
    "is_admin": false,
    "is_guest": false,
    "is_bot": false,
    "bot_type": null,
    "bot_owner_id": null,
    "role": 400,
    "timezone": "",
    "avatar_url": "/user_avatars/1/<hex>.png?version=1",
    "avatar_version": 1
   },
   {
    "user_id": 6,
    "delivery_email": "ben.baker@example.test",
    "email": "ben.baker@example.test",
    "full_name": "Ben Baker",
    "date_joined": "2026-01-05T09:00:06.000000+00:00",
    "is_active": true,
    "is_owner": false,
    "is_admin": false,
    "is_guest": false,
    "is_bot": false,
    "bot_type": null,
    "bot_owner_id": null,
    "role": 400,
    "timezone": "",
    "avatar_url": "/user_avatars/1/<hex>.png?version=1",
    "avatar_version": 1
   }
  ]
 },
 "postUsers": {
  "result": "success",
  "msg": "",
  "user_id": 5
 },
 "postJwtFetchApiKey": {
  "result": "success",
  "msg": "",
  "api_key": "<token>",
  "email": "ann.archer@example.test",
  "user": {
   "user_id": 5,
   "delivery_email": "ann.archer@example.test",
   "email": "ann.archer@example.test",
   "full_name": "Ann Archer",
   "date_joined": "2026-01-05T09:00:04.000000+00:00",
   "is_active": true,
   "is_owner": false,
   "is_admin": false,
   "is_guest": false,
   "is_bot": false,
   "bot_type": null,
   "bot_owner_id": null,
   "role": 400,
   "timezone": "Asia/Tokyo",
   "avatar_url": "/user_avatars/1/<hex>.png?version=4",
   "avatar_version": 4
  }
 },
 "postDevFetchApiKey": {
  "result": "success",
  "msg": "",
  "api_key": "<token>",
  "email": "ann.archer@example.test",
  "user_id": 5
 },
 "getDevListUsers": {
  "result": "success",
  "msg": "",
  "direct_admins": [
   {
    "email": "olive@example.test",
    "realm_url": "http://chat.example.test",
    "realm_uri": "http://chat.example.test"
   }
  ],
  "direct_users": [
   {
    "email": "ann.archer@example.test",
    "realm_url": "http://chat.example.test",
    "realm_uri": "http://chat.example.test"
   },
   {
    "email": "ben.baker@example.test",
    "realm_url": "http://chat.example.test",
    "realm_uri": "http://chat.example.test"
   }
  ]
 },
 "getRealmIcon": {
  "result": "success",
  "msg": "",
  "icon_url": "/static/icon.svg"
 },
 "postRealmIcon": {
  "result": "success",
  "msg": "",
  "icon_url": "/user_avatars/1/realm/<hex>.png?version=2"
 },
 "deleteRealmIcon": {
  "result": "success",
  "msg": "",
  "icon_url": "/static/icon.svg"
 },
 "getRealmLogo": {
  "result": "success",
  "msg": "",
  "logo_url": "/static/icon.svg"
 },
 "postRealmLogo": {
  "result": "success",
  "msg": "",
  "logo_url": "/user_avatars/1/realm/<hex>.png?version=2"
 },
 "deleteRealmLogo": {
  "result": "success",
  "msg": "",
  "logo_url": "/static/icon.svg"
 },
 "getRealmEmoji": {
  "result": "success",
  "msg": "",
  "emoji": {
   "1": {
    "id": "1",
    "name": "sun",
    "source_url": "/user_avatars/1/emoji/images/1.png",
    "still_url": null,
    "deactivated": true,
    "author_id": 4
   }
  }
 },
 "postRealmEmojiByName": {
  "result": "success",
  "msg": ""
 },
 "deleteRealmEmojiByName": {
  "result": "success",
  "msg": ""
 },
 "postUsersMeAvatar": {
  "result": "success",
  "msg": "",
  "avatar_url": "/user_avatars/1/<hex>.png?version=2"
 },
 "deleteUsersMeAvatar": {
  "result": "success",
  "msg": "",
  "avatar_url": "/user_avatars/1/<hex>.png?version=3"
 },
 "getBots": {
  "result": "success",
  "msg": "",
  "bots": [
   {
    "username": "hello-bot@chat.example.test",
    "full_name": "Hello Bot",
    "api_key": "<token>",
    "avatar_url": "/user_avatars/1/<hex>.png?version=1",
    "default_sending_stream": null,
    "default_events_register_stream": null,
    "default_all_public_streams": false
   },
   {
    "username": "helper-bot@chat.example.test",
    "full_name": "Helper",
    "api_key": "<token>",
    "avatar_url": "/user_avatars/1/<hex>.png?version=1",
    "default_sending_stream": null,
    "default_events_register_stream": null,
    "default_all_public_streams": false
   }
  ]
 },
 "postBots": {
  "result": "success",
  "msg": "",
  "user_id": 10,
  "api_key": "<token>",
  "avatar_url": "/user_avatars/1/<hex>.png?version=1",
  "default_sending_stream": null,
  "default_events_register_stream": null,
  "default_all_public_streams": false
 },
 "patchBotsByBotId": {
  "result": "success",
  "msg": "",
  "full_name": "The Helper",
  "avatar_url": "/user_avatars/1/<hex>.png?version=2",
  "service_interface": null,
  "service_payload_url": null,
  "config_data": {},
  "default_sending_stream": null,
  "default_events_register_stream": null,
  "default_all_public_streams": false
 },
 "deleteBotsByBotId": {
  "result": "success",
  "msg": ""
 },
 "postBotsByBotIdApiKeyRegenerate": {
  "result": "success",
  "msg": "",
  "api_key": "<token>"
 },
 "getBotStorage": {
  "result": "success",
  "msg": "",
  "storage": {
   "count": "1"
  }
 },
 "putBotStorage": {
  "result": "success",
  "msg": ""
 },
 "deleteBotStorage": {
  "result": "success",
  "msg": ""
 },
 "getUserGroups": {
  "result": "success",
  "msg": "",
  "user_groups": [
   {
    "id": 1,
    "name": "role:owners",
    "description": "Owners of this organization",
    "date_created": null,
    "creator_id": null,
    "is_system_group": true,
    "members": [
     4
    ],
    "direct_subgroup_ids": [],
    "deactivated": false,
    "can_add_members_group": 8,
    "can_join_group": 8,
    "can_leave_group": 8,
    "can_manage_group": 8,
    "can_mention_group": 8,
    "can_remove_members_group": 8
   },
   {
    "id": 2,
    "name": "role:administrators",
    "description": "Administrators of this organization, including owners",
    "date_created": null,
    "creator_id": null,
    "is_system_group": true,
    "members": [],
    "direct_subgroup_ids": [
     1
    ],
    "deactivated": false,
    "can_add_members_group": 8,
    "can_join_group": 8,
    "can_leave_group": 8,
    "can_manage_group": 8,
    "can_mention_group": 8,
    "can_remove_members_group": 8
   }
  ]
 },
 "postUserGroupsCreate": {
  "result": "success",
  "msg": "",
  "group_id": 9
 },
 "patchUserGroupsByUserGroupId": {
  "result": "success",
  "msg": ""
 },
 "postUserGroupsByUserGroupIdDeactivate": {
  "result": "success",
  "msg": ""
 },
 "getUserGroupsByUserGroupIdMembers": {
  "result": "success",
  "msg": "",
  "members": [
   5,
   7,
   9
  ]
 },
 "postUserGroupsByUserGroupIdMembers": {
  "result": "success",
  "msg": ""
 },
 "getUserGroupsByUserGroupIdMembersByUserId": {
  "result": "success",
  "msg": "",
  "is_user_group_member": true
 },
 "getUserGroupsByUserGroupIdSubgroups": {
  "result": "success",
  "msg": "",
  "subgroups": [
   10
  ]
 },
 "postUserGroupsByUserGroupIdSubgroups": {
  "result": "success",
  "msg": ""
 },
 "patchStreamsByStreamId": {
  "result": "success",
  "msg": ""
 },
 "deleteStreamsByStreamId": {
  "result": "success",
  "msg": ""
 },
 "getStreamsByStreamId": {
  "result": "success",
  "msg": "",
  "stream": {
   "stream_id": 3,
   "name": "cellar",
   "is_archived": false,
   "description": "quiet",
   "rendered_description": "<p>quiet</p>",
   "date_created": 1767603730,
   "creator_id": 5,
   "invite_only": true,
   "is_web_public": false,
   "stream_post_policy": 1,
   "is_announcement_only": false,
   "message_retention_days": null,
   "history_public_to_subscribers": false,
   "topics_policy": "inherit",
   "first_message_id": 9,
   "folder_id": null,
   "is_recently_active": true,
   "stream_weekly_traffic": null,
   "can_add_subscribers_group": 8,
   "can_administer_channel_group": {
    "direct_members": [
     5
    ],
    "direct_subgroups": []
   },
   "can_create_topic_group": 6,
   "can_delete_any_message_group": 8,
   "can_delete_own_message_group": 8,
   "can_move_messages_out_of_channel_group": 8,
   "can_move_messages_within_channel_group": 8,
   "can_remove_subscribers_group": 2,
   "can_resolve_topics_group": 8,
   "can_send_message_group": 6,
   "can_subscribe_group": 8,
   "subscriber_count": 3
  }
 },
 "getStreams": {
  "result": "success",
  "msg": "",
  "streams": [
   {
    "stream_id": 1,
    "name": "general",
    "is_archived": false,
    "description": "For team-wide conversations",
    "rendered_description": "<p>For team-wide conversations</p>",
    "date_created": 1767603600,
    "creator_id": 4,
    "invite_only": false,
    "is_web_public": false,
    "stream_post_policy": 1,
    "is_announcement_only": false,
    "message_retention_days": null,
    "history_public_to_subscribers": true,
    "topics_policy": "inherit",
    "first_message_id": 39,
    "folder_id": null,
    "is_recently_active": true,
    "stream_weekly_traffic": null,
    "can_add_subscribers_group": 8,
    "can_administer_channel_group": {
     "direct_members": [
      4
     ],
     "direct_subgroups": []
    },
    "can_create_topic_group": 6,
    "can_delete_any_message_group": 8,
    "can_delete_own_message_group": 8,
    "can_move_messages_out_of_channel_group": 8,
    "can_move_messages_within_channel_group": 8,
    "can_remove_subscribers_group": 2,
    "can_resolve_topics_group": 8,
    "can_send_message_group": 6,
    "can_subscribe_group": 8,
    "subscriber_count": 6
   },
   {
    "stream_id": 2,
    "name": "kitchen",
    "is_archived": false,
    "description": "All about *food*",
    "rendered_description": "<p>All about <em>food</em></p>",
    "date_created": 1767603729,
    "creator_id": 5,
    "invite_only": false,
    "is_web_public": false,
    "stream_post_policy": 1,
    "is_announcement_only": false,
    "message_retention_days": null,
    "history_public_to_subscribers": true,
    "topics_policy": "inherit",
    "first_message_id": 8,
    "folder_id": 1,
    "is_recently_active": true,
    "stream_weekly_traffic": null,
    "can_add_subscribers_group": 8,
    "can_administer_channel_group": {
     "direct_members": [
      5
     ],
     "direct_subgroups": []
    },
    "can_create_topic_group": 6,
    "can_delete_any_message_group": 8,
    "can_delete_own_message_group": 8,
    "can_move_messages_out_of_channel_group": 8,
    "can_move_messages_within_channel_group": 8,
    "can_remove_subscribers_group": 2,
    "can_resolve_topics_group": 8,
    "can_send_message_group": 6,
    "can_subscribe_group": 8,
    "subscriber_count": 5
   }
  ]
 },
 "postChannelsCreate": {
  "result": "success",
  "msg": "",
  "id": 4
 },
 "getGetStreamId": {
  "result": "success",
  "msg": "",
  "stream_id": 2
 },
 "getStreamsByStreamIdEmailAddress": {
  "result": "success",
  "msg": "",
  "email": "kitchen.<hex>@chat.example.test"
 },
 "getStreamsByStreamIdMembers": {
  "result": "success",
  "msg": "",
  "subscribers": [
   5,
   6,
   7,
   9
  ]
 },
 "getUsersByUserIdChannels": {
  "result": "success",
  "msg": "",
  "subscribed_channel_ids": [
   1,
   2,
   4
  ]
 },
 "getUsersByUserIdSubscriptionsByStreamId": {
  "result": "success",
  "msg": "",
  "is_subscribed": true
 },
 "postDefaultStreams": {
  "result": "success",
  "msg": ""
 },
 "deleteDefaultStreams": {
  "result": "success",
  "msg": ""
 },
 "postDefaultStreamGroupsCreate": {
  "result": "success",
  "msg": ""
 },
 "patchDefaultStreamGroupsByGroupId": {
  "result": "success",
  "msg": ""
 },
 "deleteDefaultStreamGroupsByGroupId": {
  "result": "success",
  "msg": ""
 },
 "patchDefaultStreamGroupsByGroupIdStreams": {
  "result": "success",
  "msg": ""
 },
 "getChannelFolders": {
  "result": "success",
  "msg": "",
  "channel_folders": [
   {
    "id": 1,
    "name": "the rooms",
    "order": 1,
    "description": "**all**",
    "rendered_description": "<p><strong>all</strong></p>",
    "creator_id": 4,
    "date_created": 1767603792,
    "is_archived": false
   }
  ]
 },
 "patchChannelFolders": {
  "result": "success",
  "msg": ""
 },
 "postChannelFoldersCreate": {
  "result": "success",
  "msg": "",
  "channel_folder_id": 1
 },
 "patchChannelFoldersByChannelFolderId": {
  "result": "success",
  "msg": ""
 },
 "getUsersMeSubscriptions": {
  "result": "success",
  "msg": "",
  "subscriptions": [
   {
    "stream_id": 1,
    "name": "general",
    "is_archived": false,
    "description": "For team-wide conversations",
    "rendered_description": "<p>For team-wide conversations</p>",
    "date_created": 1767603600,
    "creator_id": 4,
    "invite_only": false,
    "is_web_public": false,
    "stream_post_policy": 1,
    "is_announcement_only": false,
    "message_retention_days": null,
    "history_public_to_subscribers": true,
    "topics_policy": "inherit",
    "first_message_id": 39,
    "folder_id": null,
    "is_recently_active": true,
    "stream_weekly_traffic": null,
    "can_add_subscribers_group": 8,
    "can_administer_channel_group": {
     "direct_members": [
      4
     ],
     "direct_subgroups": []
    },
    "can_create_topic_group": 6,
    "can_delete_any_message_group": 8,
    "can_delete_own_message_group": 8,
    "can_move_messages_out_of_channel_group": 8,
    "can_move_messages_within_channel_group": 8,
    "can_remove_subscribers_group": 2,
    "can_resolve_topics_group": 8,
    "can_send_message_group": 6,
    "can_subscribe_group": 8,
    "subscriber_count": 6,
    "color": "#76ce90",
    "is_muted": false,
    "in_home_view": true,
    "pin_to_top": false,
    "desktop_notifications": null,
    "audible_notifications": null,
    "push_notifications": null,
    "email_notifications": null,
    "wildcard_mentions_notify": null
   },
   {
    "stream_id": 2,
    "name": "kitchen",
    "is_archived": false,
    "description": "All about *food*",
    "rendered_description": "<p>All about <em>food</em></p>",
    "date_created": 1767603729,
    "creator_id": 5,
    "invite_only": false,
    "is_web_public": false,
    "stream_post_policy": 1,
    "is_announcement_only": false,
    "message_retention_days": null,
    "history_public_to_subscribers": true,
    "topics_policy": "inherit",
    "first_message_id": 8,
    "folder_id": 1,
    "is_recently_active": true,
    "stream_weekly_traffic": null,
    "can_add_subscribers_group": 8,
    "can_administer_channel_group": {
     "direct_members": [
      5
     ],
     "direct_subgroups": []
    },
    "can_create_topic_group": 6,
    "can_delete_any_message_group": 8,
    "can_delete_own_message_group": 8,
    "can_move_messages_out_of_channel_group": 8,
    "can_move_messages_within_channel_group": 8,
    "can_remove_subscribers_group": 2,
    "can_resolve_topics_group": 8,
    "can_send_message_group": 6,
    "can_subscribe_group": 8,
    "subscriber_count": 5,
    "color": "#fae589",
    "is_muted": false,
    "in_home_view": true,
    "pin_to_top": false,
    "desktop_notifications": null,
    "audible_notifications": null,
    "push_notifications": null,
    "email_notifications": null,
    "wildcard_mentions_notify": null
   }
  ]
 },
 "postUsersMeSubscriptions": {
  "result": "success",
  "msg": "",
  "subscribed": {
   "4": [
    "plaza"
   ]
  },
  "already_subscribed": {},
  "new_subscription_messages_sent": true
 },
 "deleteUsersMeSubscriptions": {
  "result": "success",
  "msg": "",
  "removed": [
   "plaza"
  ],
  "not_removed": []
 },
 "patchUsersMeSubscriptions": {
  "result": "success",
  "msg": "",
  "subscribed": {
   "6": [
    "plaza"
   ]
  },
  "already_subscribed": {},
  "new_subscription_messages_sent": true,
  "removed": [
   "kitchen"
  ],
  "not_removed": []
 },
 "postUsersMeSubscriptionsProperties": {
  "result": "success",
  "msg": ""
 },
 "patchUsersMeSubscriptionsByStreamId": {
  "result": "success",
  "msg": ""
 },
 "getUsersMeAlertWords": {
  "result": "success",
  "msg": "",
  "alert_words": [
   "tea"
  ]
 },
 "postUsersMeAlertWords": {
  "result": "success",
  "msg": "",
  "alert_words": [
   "tea",
   "Cake"
  ]
 },
 "deleteUsersMeAlertWords": {
  "result": "success",
  "msg": "",
  "alert_words": [
   "tea"
  ]
 },
 "postUsersMeMutedUsersByMutedUserId": {
  "result": "success",
  "msg": ""
 },
 "deleteUsersMeMutedUsersByMutedUserId": {
  "result": "success",
  "msg": ""
 },
 "postUsersMeOnboardingSteps": {
  "result": "success",
  "msg": ""
 },
 "patchSettings": {
  "result": "success",
  "msg": ""
 },
 "patchSettingsDisplay": {
  "result": "success",
  "msg": ""
 },
 "patchSettingsNotifications": {
  "result": "success",
  "msg": ""
 },
 "patchRealmUserSettingsDefaults": {
  "result": "success",
  "msg": ""
 },
 "postUserTopics": {
  "result": "success",
  "msg": ""
 },
 "patchUsersMeSubscriptionsMutedTopics": {
  "result": "success",
  "msg": ""
 },
 "postZcommand": {
  "result": "success",
  "msg": "",
  "data": {}
 },
 "postUsersMePresence": {
  "result": "success",
  "msg": "",
  "presences": {
   "5": {
    "active_timestamp": 1767603671,
    "idle_timestamp": 1767603671
   }
  },
  "server_timestamp": 1767603671,
  "presence_last_update_id": 1024
 },
 "getUsersByUserIdOrEmailPresence": {
  "result": "success",
  "msg": "",
  "presence": {
   "aggregated": {
    "status": "active",
    "timestamp": 1767603671
   },
   "website": {
    "status": "active",
    "timestamp": 1767603671
   }
  }
 },
 "getRealmPresence": {
  "result": "success",
  "msg": "",
  "presences": {
   "ann.archer@example.test": {
    "aggregated": {
     "client": "website",
     "status": "active",
     "timestamp": 1767603671,
     "pushable": false
    },
    "website": {
     "client": "website",
     "status": "active",
     "timestamp": 1767603671,
     "pushable": false
    }
   },
   "ben.baker@example.test": {
    "aggregated": {
     "client": "website",
     "status": "idle",
     "timestamp": 1767603673,
     "pushable": false
    },
    "website": {
     "client": "website",
     "status": "idle",
     "timestamp": 1767603673,
     "pushable": false
    }
   }
  },
  "server_timestamp": 1767603677
 },
 "postUsersMeStatus": {
  "result": "success",
  "msg": ""
 },
 "postUsersByUserIdStatus": {
  "result": "success",
  "msg": ""
 },
 "getUsersByUserIdStatus": {
  "result": "success",
  "msg": "",
  "status": {
   "status_text": "at lunch",
   "emoji_name": "smile",
   "emoji_code": "1f642",
   "reaction_type": "unicode_emoji"
  }
 },
 "getDrafts": {
  "result": "success",
  "msg": "",
  "count": 2,
  "drafts": [
   {
    "id": 1,
    "type": "stream",
    "to": [
     2
    ],
    "topic": "soup",
    "content": "still not",
    "timestamp": 1767603938
   },
   {
    "id": 2,
    "type": "private",
    "to": [
     6
    ],
    "topic": "",
    "content": "not yet",
    "timestamp": 1767603936
   }
  ]
 },
 "postDrafts": {
  "result": "success",
  "msg": "",
  "ids": [
   1,
   2
  ]
 },
 "patchDraftsByDraftId": {
  "result": "success",
  "msg": ""
 },
 "deleteDraftsByDraftId": {
  "result": "success",
  "msg": ""
 },
 "getReminders": {
  "result": "success",
  "msg": "",
  "reminders": [
   {
    "reminder_id": 1,
    "type": "private",
    "to": [
     8
    ],
    "content": "You requested a reminder for [this message](/#narrow/dm/6,8-dm/near/56).",
    "rendered_content": "<p>You requested a reminder for <a href=\"/#narrow/dm/6,8-dm/near/56\">this message</a>.</p>",
    "scheduled_delivery_timestamp": 1767607590,
    "failed": true,
    "reminder_target_message_id": 56
   }
  ]
 },
 "postReminders": {
  "result": "success",
  "msg": "",
  "reminder_id": 1
 },
 "deleteRemindersByReminderId": {
  "result": "success",
  "msg": ""
 },
 "getScheduledMessages": {
  "result": "success",
  "msg": "",
  "scheduled_messages": [
   {
    "scheduled_message_id": 1,
    "type": "private",
    "to": [
     6
    ],
    "content": "On *time*",
    "rendered_content": "<p>On <em>time</em></p>",
    "scheduled_delivery_timestamp": 1767607588,
    "failed": true
   }
  ]
 },
 "postScheduledMessages": {
  "result": "success",
  "msg": "",
  "scheduled_message_id": 1
 },
 "patchScheduledMessagesByScheduledMessageId": {
  "result": "success",
  "msg": ""
 },
 "deleteScheduledMessagesByScheduledMessageId": {
  "result": "success",
  "msg": ""
 },
 "getSavedSnippets": {
  "result": "success",
  "msg": "",
  "saved_snippets": [
   {
    "id": 1,
    "title": "Many thanks",
    "content": "Thank *you*",
    "date_created": 1767603943
   }
  ]
 },
 "postSavedSnippets": {
  "result": "success",
  "msg": "",
  "saved_snippet_id": 1
 },
 "patchSavedSnippetsBySavedSnippetId": {
  "result": "success",
  "msg": ""
 },
 "deleteSavedSnippetsBySavedSnippetId": {
  "result": "success",
  "msg": ""
 },
 "getNavigationViews": {
  "result": "success",
  "msg": "",
  "navigation_views": [
   {
    "fragment": "narrow/channel/2",
    "is_pinned": false,
    "name": "Kitchen"
   }
  ]
 },
 "postNavigationViews": {
  "result": "success",
  "msg": ""
 },
 "patchNavigationViewsByFragment": {
  "result": "success",
  "msg": ""
 },
 "deleteNavigationViewsByFragment": {
  "result": "success",
  "msg": ""
 },
 "postUsersMeApnsDeviceToken": {
  "result": "success",
  "msg": ""
 },
 "deleteUsersMeApnsDeviceToken": {
  "result": "success",
  "msg": ""
 },
 "postUsersMePlatformpushDeviceToken": {
  "result": "success",
  "msg": ""
 },
 "postUsersMeAndroidGcmRegId": {
  "result": "success",
  "msg": ""
 },
 "deleteUsersMeAndroidGcmRegId": {
  "result": "success",
  "msg": ""
 },
 "postRegisterClientDevice": {
  "result": "success",
  "msg": "",
  "device_id": 1
 },
 "postRemoveClientDevice": {
  "result": "success",
  "msg": ""
 },
 "postMobilePushRegister": {
  "result": "success",
  "msg": ""
 },
 "postMobilePushE2eeTestNotification": {
  "result": "success",
  "msg": ""
 },
 "postMobilePushTestNotification": {
  "result": "success",
  "msg": ""
 },
 "getInvites": {
  "result": "success",
  "msg": "",
  "invites": [
   {
    "id": 2,
    "invited_by_user_id": 4,
    "invited": 1767608264,
    "expiry_date": 1768472264,
    "invited_as": 600,
    "is_multiuse": true,
    "link_url": "http://chat.example.test/join/<token>/"
   }
  ]
 },
 "postInvites": {
  "result": "success",
  "msg": ""
 },
 "postInvitesMultiuse": {
  "result": "success",
  "msg": "",
  "invite_link": "http://chat.example.test/join/<token>/"
 },
 "deleteInvitesMultiuseByInviteId": {
  "result": "success",
  "msg": ""
 },
 "deleteInvitesByInviteId": {
  "result": "success",
  "msg": ""
 },
 "postInvitesByInviteIdResend": {
  "result": "success",
  "msg": ""
 },
 "getExportRealm": {
  "result": "success",
  "msg": "",
  "exports": [
   {
    "id": 1,
    "acting_user_id": 4,
    "export_time": 1767607748,
    "deleted_timestamp": null,
    "failed_timestamp": null,
    "export_url": null,
    "pending": true,
    "export_type": 1
   }
  ]
 },
 "postExportRealm": {
  "result": "success",
  "msg": "",
  "id": 1
 },
 "getExportRealmConsents": {
  "result": "success",
  "msg": "",
  "export_consents": [
   {
    "user_id": 4,
    "consented": false
   },
   {
    "user_id": 5,
    "consented": true
   }
  ]
 },
 "deleteExportRealmByExportId": {
  "result": "success",
  "msg": ""
 },
 "postCallsZoomCreate": {
  "result": "success",
  "msg": "",
  "url": "https://zoom.example/j/7"
 },
 "getCallsBigbluebuttonCreate": {
  "result": "success",
  "msg": "",
  "url": "http://chat.example.test/calls/bigbluebutton/join?bigbluebutton=<token>"
 },
 "postAuditRequests": {
  "result": "success",
  "msg": "",
  "request_id": 1,
  "until": 1768213239
 },
 "postAuditRequestsByRequestIdApprove": {
  "result": "success",
  "msg": ""
 },
 "postAuditRequestsByRequestIdRefuse": {
  "result": "success",
  "msg": ""
 },
 "getPastMessages": {
  "result": "success",
  "msg": "",
  "messages": [],
  "found_oldest": true,
  "before": 0,
  "is_cut": false
 },
 "getPastMoments": {
  "result": "success",
  "msg": "",
  "moments": [
   {
    "time": 1767603850,
    "sent": 1,
    "edited": 0,
    "moved_in": 0,
    "moved_out": 0,
    "resolved": false
   },
   {
    "time": 1767603851,
    "sent": 0,
    "edited": 1,
    "moved_in": 0,
    "moved_out": 0,
    "resolved": false
   }
  ],
  "is_cut": false
 },
 "getPastSince": {
  "result": "success",
  "msg": "",
  "until": 1767603867,
  "conversations": [
   {
    "stream_id": 2,
    "topic": "mine",
    "sent": 2,
    "first_id": 42,
    "last_id": 50,
    "sender_ids": [
     1,
     5
    ],
    "edited_ids": [
     42
    ],
    "moved_in": 1,
    "moved_out": 0,
    "deleted": 0
   },
   {
    "stream_id": 2,
    "topic": "tart",
    "sent": 1,
    "first_id": 49,
    "last_id": 49,
    "sender_ids": [
     1
    ],
    "edited_ids": [],
    "moved_in": 4,
    "moved_out": 1,
    "deleted": 0
   }
  ],
  "more_conversations": 0,
  "mentions": [],
  "reactions": [],
  "reaction_count": 0,
  "moved_mine": 2,
  "is_cut": false
 }
};
