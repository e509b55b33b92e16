import { placeOf, UnreadBook } from './apply-unread.js';
import type { ChannelState, ClientState, UserState, UserTopicState } from './client-state.js';
import { byText, union, without } from './client-state.js';

/**
 * Client model: applies events to the state of a registration (events.md, column "State"). Proves that
 * *register, then events* equals *register later*. Fields that were not fetched stay absent; the arguments are not
 * changed.
 */
export function applyEvents(state: ClientState, events: readonly any[]): ClientState {
  const result = structuredClone(state);
  for (const event of structuredClone(events as any[])) apply(result, event);
  return result;
}

const LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const;

/**
 * Fields that no event changes, that differ between any two registrations, or whose events are ephemeral: a client that does not
 * poll at the moment misses them, and asks again.
 */
const INCOMPARABLE = ['queue_id', 'last_event_id', 'server_timestamp', 'presence_last_update_id', 'presences'];

/** Normal form of the state, in which equal states are equal. */
export function comparable(state: ClientState): ClientState {
  const result = structuredClone(state);
  for (const field of INCOMPARABLE) Reflect.deleteProperty(result, field);
  result.unread_msgs?.mentions.sort((a, b) => a - b);
  // Nobody is told of the statuses of deactivated users.
  const gone = new Set(result.realm_non_active_users?.map(({ user_id }) => user_id));
  for (const userId of Object.keys(result['user_status'] ?? {}))
    if (gone.has(Number(userId))) Reflect.deleteProperty(result['user_status'], userId);
  return result;
}

/** That a channel has its first message is told by the message alone, which those who are not subscribed do not get. */
export function learnFirstMessages(state: ClientState, fresh: ClientState): void {
  for (const list of ['streams', 'unsubscribed', 'never_subscribed'] as const) {
    const firsts = new Map(fresh[list]?.map((channel) => [channel.stream_id, channel['first_message_id']]));
    for (const channel of state[list] ?? []) channel['first_message_id'] ??= firsts.get(channel.stream_id) ?? null;
  }
}

function apply(state: ClientState, event: any): void {
  switch (event.type) {
    case 'message': {
      message(state, event);
      return;
    }
    case 'update_message': {
      updateMessage(state, event);
      return;
    }
    case 'delete_message': {
      deleteMessage(state, event);
      return;
    }
    case 'update_message_flags': {
      updateFlags(state, event);
      return;
    }
    case 'stream': {
      stream(state, event);
      return;
    }
    case 'subscription': {
      subscription(state, event);
      return;
    }
    case 'default_streams':
      if (state.realm_default_streams !== undefined) state.realm_default_streams = event.default_streams;
      return;
    case 'default_stream_groups':
      if (state['realm_default_stream_groups'] !== undefined)
        state['realm_default_stream_groups'] = event.default_stream_groups;
      return;
    case 'realm': {
      realm(state, event);
      return;
    }
    case 'restart': {
      restart(state, event);
      return;
    }
    case 'realm_user': {
      realmUser(state, event);
      return;
    }
    case 'realm_bot': {
      realmBot(state, event);
      return;
    }
    case 'user_group': {
      userGroup(state, event);
      return;
    }
    case 'alert_words':
    case 'muted_topics':
    case 'muted_users':
    case 'onboarding_steps':
      if (state[event.type] !== undefined) state[event.type] = event[event.type];
      return;
    case 'custom_profile_fields':
      customProfileFields(state, event.fields);
      return;
    case 'realm_playgrounds':
      if (state['realm_playgrounds'] !== undefined) state['realm_playgrounds'] = event.realm_playgrounds;
      return;
    case 'realm_emoji':
      if (state['realm_emoji'] !== undefined) state['realm_emoji'] = event.realm_emoji;
      return;
    case 'realm_domains':
      realmDomains(state, event);
      return;
    case 'realm_user_settings_defaults':
      if (state['realm_user_settings_defaults'] !== undefined)
        state['realm_user_settings_defaults'] = {
          ...state['realm_user_settings_defaults'],
          [event.property]: event.value,
        };
      return;
    case 'realm_linkifiers':
      if (state['realm_linkifiers'] !== undefined) state['realm_linkifiers'] = event.realm_linkifiers;
      return;
    case 'channel_folder': {
      channelFolder(state, event);
      return;
    }
    case 'drafts': {
      drafts(state, event);
      return;
    }
    case 'saved_snippets': {
      savedSnippets(state, event);
      return;
    }
    case 'push_device': {
      pushDevice(state, event);
      return;
    }
    case 'device': {
      device(state, event);
      return;
    }
    case 'scheduled_messages': {
      scheduledMessages(state, event);
      return;
    }
    case 'reminders': {
      reminders(state, event);
      return;
    }
    case 'navigation_view': {
      navigationView(state, event);
      return;
    }
    case 'user_topic': {
      userTopic(state, event);
      return;
    }
    case 'user_status': {
      userStatus(state, event);
      return;
    }
    case 'presence': {
      presence(state, event);
      return;
    }
    case 'user_settings':
      if (state['user_settings'] !== undefined) state['user_settings'][event.property] = event.value;
      if (event.property === 'enable_drafts_synchronization') eraseDrafts(state);
      return;
    case 'update_display_settings':
      if (event.setting_name in state) state[event.setting_name] = event.setting;
      if (event.setting_name === 'enable_drafts_synchronization') eraseDrafts(state);
      return;
    case 'update_global_notifications':
      if (event.notification_name in state) state[event.notification_name] = event.setting;
      return;
    case 'has_zoom_token':
      if (state['has_zoom_token'] !== undefined) state['has_zoom_token'] = event.value;
      return;
    case 'heartbeat':
    case 'invites_changed':
    case 'reaction':
    case 'realm_export':
    case 'realm_export_consent':
    case 'submessage':
    case 'typing':
    case 'typing_edit_message':
      return; // These change messages, lists that have routes of their own, or nothing that lasts: no register response holds that.
    default:
      throw new Error(`A client event of type ${String(event.type)} is not understood here.`);
  }
}

/** Clients of the earlier format know people by their addresses. */
function presence(state: ClientState, { user_id, email, presence: legacy, presences: modern }: any): void {
  const known = state['presences'];
  if (known !== undefined) Object.assign(known, modern ?? { [email ?? user_id]: legacy });
}

/** What is empty is not kept. */
function userStatus(state: ClientState, { user_id, id: _id, type: _type, ...parts }: any): void {
  const statuses = state['user_status'];
  if (statuses === undefined) return;
  const status = Object.fromEntries(
    Object.entries({ ...statuses[user_id], ...parts }).filter(([, value]) => value !== '' && value !== false),
  );
  if (Object.keys(status).length === 0) Reflect.deleteProperty(statuses, user_id);
  else statuses[user_id] = status;
}

function drafts(state: ClientState, event: any): void {
  if (state['drafts'] === undefined) return;
  const kept = state['drafts'].filter(({ id }: any) => id !== event.draft_id && id !== event.draft?.id);
  state['drafts'] = [...kept, ...(event.drafts ?? []), ...(event.draft === undefined ? [] : [event.draft])];
  // The newest edit first.
  state['drafts'].sort((a: any, b: any) => b.timestamp - a.timestamp || b.id - a.id);
}

function savedSnippets(state: ClientState, { saved_snippet: snippet, saved_snippet_id: gone }: any): void {
  if (state['saved_snippets'] === undefined) return;
  const kept = state['saved_snippets'].filter(({ id }: any) => id !== gone && id !== snippet?.id);
  state['saved_snippets'] = [...kept, ...(snippet === undefined ? [] : [snippet])].sort(
    (a: any, b: any) => a.id - b.id,
  );
}

function pushDevice(state: ClientState, { push_account_id: id, status, error_code }: any): void {
  if (state['push_devices'] === undefined) return;
  state['push_devices'][id] = { status, ...(error_code === undefined ? {} : { error_code }) };
}

const NEW_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

function device(state: ClientState, { op, device_id, type: _, id: __, ...change }: any): void {
  const { devices } = state;
  if (devices === undefined) return;
  if (op === 'add') devices[device_id] = { ...NEW_DEVICE };
  else if (op === 'remove') Reflect.deleteProperty(devices, device_id);
  else Object.assign(devices[device_id], change);
}

function realmBot(state: ClientState, { op, bot }: any): void {
  const bots = state['realm_bots'];
  if (bots === undefined) return;
  if (op === 'update') Object.assign(bots.find(({ user_id }: any) => user_id === bot.user_id) ?? {}, bot);
  else state['realm_bots'] = bots.filter(({ user_id }: any) => user_id !== bot.user_id);
  if (op === 'add') state['realm_bots'] = [...state['realm_bots'], bot].sort((a, b) => a.user_id - b.user_id);
}

function navigationView(state: ClientState, { op, navigation_view: added, fragment, data }: any): void {
  const views = state['navigation_views'];
  if (views === undefined) return;
  if (op === 'add') views.push(added);
  else if (op === 'update') Object.assign(views.find((view: any) => view.fragment === fragment) ?? {}, data);
  else state['navigation_views'] = views.filter((view: any) => view.fragment !== fragment);
}

function channelFolder(state: ClientState, { op, channel_folder: added, channel_folder_id, data, order }: any): void {
  const folders = state['channel_folders'];
  if (folders === undefined) return;
  if (op === 'add') folders.push(added);
  else if (op === 'update') Object.assign(folders.find(({ id }: any) => id === channel_folder_id) ?? {}, data);
  else for (const folder of folders) folder.order = order.indexOf(folder.id);
  folders.sort((a: any, b: any) => a.order - b.order);
}

function scheduledMessages(state: ClientState, event: any): void {
  const { scheduled_messages: added = [], scheduled_message: changed, scheduled_message_id: gone } = event;
  if (state['scheduled_messages'] === undefined) return;
  const idOf = ({ scheduled_message_id: id }: any): number => id;
  const kept = state['scheduled_messages'].filter(
    (one: any) => idOf(one) !== gone && (changed === undefined || idOf(one) !== idOf(changed)),
  );
  state['scheduled_messages'] = [...kept, ...added, ...(changed === undefined ? [] : [changed])].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || idOf(a) - idOf(b),
  );
}

function reminders(state: ClientState, { reminders: added = [], reminder_id: gone }: any): void {
  if (state['reminders'] === undefined) return;
  const kept = state['reminders'].filter(({ reminder_id: id }: any) => id !== gone);
  state['reminders'] = [...kept, ...added].sort(
    (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp || a.reminder_id - b.reminder_id,
  );
}

/** Turning their synchronization off erases drafts without an event of its own, and turning it on begins with none. */
function eraseDrafts(state: ClientState): void {
  if (state['drafts'] !== undefined) state['drafts'] = [];
}

function changeUnread(state: ClientState, change: (book: UnreadBook) => void): void {
  const { unread_msgs } = state;
  if (unread_msgs === undefined) return;
  const book = new UnreadBook(Object.assign(state, { unread_msgs }));
  change(book);
  state.unread_msgs = book.write();
}

function message(state: ClientState, { message: sent, flags }: any): void {
  const place = placeOf(sent, state.user_id ?? 0);
  if (state.max_message_id !== undefined) state.max_message_id = Math.max(state.max_message_id, sent.id);
  if (!flags.includes('read')) {
    changeUnread(state, (book) => {
      book.add(sent.id, place, flags);
    });
  }
  if ('channelId' in place) {
    for (const channel of channelsOf(state, place.channelId)) channel['first_message_id'] ??= sent.id;
    return;
  }
  const recent = state.recent_private_conversations;
  if (recent === undefined) return;
  const others = [...place.others];
  const known = recent.find(({ user_ids }) => user_ids.join() === others.join());
  if (known === undefined) recent.push({ max_message_id: sent.id, user_ids: others });
  else known.max_message_id = Math.max(known.max_message_id, sent.id);
  recent.sort((a, b) => b.max_message_id - a.max_message_id);
}

function updateMessage(state: ClientState, event: any): void {
  changeUnread(state, (book) => {
    if (event.orig_subject !== undefined || event.new_stream_id !== undefined) {
      for (const id of event.message_ids) {
        const place = book.place(id);
        if (place === undefined || !('channelId' in place)) continue;
        book.move(id, event.new_stream_id ?? event.stream_id, event.subject ?? place.topic);
      }
    }
    if (event.content !== undefined && event.rendering_only !== true) book.reflag(event.message_id, event.flags);
  });
}

function deleteMessage(state: ClientState, event: any): void {
  const ids: number[] = event.message_ids ?? [event.message_id];
  changeUnread(state, (book) => {
    book.remove(ids);
  });
  if (state.starred_messages !== undefined) state.starred_messages = without(state.starred_messages, ids);
}

function updateFlags(state: ClientState, event: any): void {
  const { op, flag, messages, all, message_details: details } = event;
  if (flag === 'starred' && state.starred_messages !== undefined) {
    state.starred_messages = (op === 'add' ? union : without)(state.starred_messages, messages);
  }
  if (flag !== 'read') return;
  changeUnread(state, (book) => {
    if (op === 'add' && all === true) book.removeAll();
    else if (op === 'add') book.remove(messages);
    else {
      for (const id of messages) {
        const detail = details[String(id)];
        if (detail === undefined) continue;
        const place =
          detail.type === 'stream' ? { channelId: detail.stream_id, topic: detail.topic } : { others: detail.user_ids };
        book.add(id, place, detail.mentioned === true ? ['mentioned'] : []);
      }
    }
  });
}

function userTopic(state: ClientState, { stream_id, topic_name, last_updated, visibility_policy }: any): void {
  if (state.user_topics !== undefined) {
    const isThis = (one: UserTopicState): boolean =>
      one.stream_id === stream_id && one.topic_name.toLowerCase() === topic_name.toLowerCase();
    const index = state.user_topics.findIndex(isThis);
    const topic = { stream_id, topic_name, last_updated, visibility_policy };
    if (visibility_policy === 0) state.user_topics = state.user_topics.filter((one) => !isThis(one));
    else if (index === -1) state.user_topics.push(topic);
    else state.user_topics[index] = topic;
  }
  changeUnread(state, () => undefined); // Muted messages do not count.
}

/** The channel in every list that contains it. */
function channelsOf(state: ClientState, channelId: number): ChannelState[] {
  return [...LISTS, 'streams' as const].flatMap(
    (list) => state[list]?.filter(({ stream_id }) => stream_id === channelId) ?? [],
  );
}

function takeOut(
  state: ClientState,
  channelId: number,
  lists: readonly (typeof LISTS)[number][],
): ChannelState | undefined {
  let taken: ChannelState | undefined;
  for (const list of lists) {
    const index = state[list]?.findIndex(({ stream_id }) => stream_id === channelId) ?? -1;
    if (index !== -1) [taken] = state[list]?.splice(index, 1) ?? [];
  }
  return taken;
}

function putIn(list: ChannelState[] | undefined, channel: ChannelState): void {
  list?.push(channel);
  list?.sort((a, b) => byText(a.name, b.name));
}

function stream(state: ClientState, event: any): void {
  if (event.op === 'create') {
    for (const channel of event.streams as ChannelState[]) {
      putIn(state.streams, structuredClone(channel));
      const listsSubscribers = LISTS.some((list) => state[list]?.some(({ subscribers }) => subscribers !== undefined));
      putIn(state.never_subscribed, listsSubscribers ? { ...channel, subscribers: [] } : channel);
    }
  } else if (event.op === 'delete') {
    for (const channelId of event.stream_ids as number[]) {
      forgetMutedTopics(state, channelId);
      takeOut(state, channelId, LISTS);
      if (state.streams !== undefined) state.streams = state.streams.filter(({ stream_id }) => stream_id !== channelId);
      changeUnread(state, (book) => {
        book.removeChannel(channelId);
      });
    }
  } else {
    const { stream_id, property, value, type: _type, op: _op, id: _id, name: known, ...aside } = event;
    for (const channel of channelsOf(state, stream_id)) Object.assign(channel, aside, { [property]: value });
    // What is unread in an archived channel is not listed.
    if (property === 'is_archived' && value === true)
      changeUnread(state, (book) => {
        book.removeChannel(stream_id);
      });
    if (property !== 'name') return;
    renameInMutedTopics(state, known, value);
    for (const list of [...LISTS, 'streams' as const]) state[list]?.sort((a, b) => byText(a.name, b.name));
  }
}

function renameInMutedTopics(state: ClientState, from: string, to: string): void {
  if (state['muted_topics'] === undefined) return;
  state['muted_topics'] = state['muted_topics'].map(([name, ...rest]: [string, ...unknown[]]) => [
    name === from ? to : name,
    ...rest,
  ]);
}

/** These name the channel, so clients that do not know it do not receive them. */
function forgetMutedTopics(state: ClientState, channelId: number): void {
  const names = channelsOf(state, channelId).map(({ name }) => name);
  if (state['muted_topics'] === undefined) return;
  state['muted_topics'] = state['muted_topics'].filter(([name]: [string]) => !names.includes(name));
}

function subscription(state: ClientState, event: any): void {
  switch (event.op) {
    case 'add':
      for (const added of event.subscriptions as ChannelState[]) subscribe(state, added);
      return;
    case 'remove':
      for (const { stream_id } of event.subscriptions as ChannelState[]) unsubscribe(state, stream_id);
      return;
    case 'update':
      for (const channel of state.subscriptions ?? []) {
        if (channel.stream_id === event.stream_id) channel[event.property] = event.value;
      }
      changeUnread(state, () => undefined); // Muting changes the counts.
      return;
    case 'peer_add': {
      peers(state, event, union, 1);
      return;
    }
    case 'peer_remove': {
      peers(state, event, without, -1);
      return;
    }
    default:
      throw new Error(`subscription/${String(event.op)} is not understood here.`);
  }
}

function subscribe(state: ClientState, added: ChannelState): void {
  const before = takeOut(state, added.stream_id, LISTS);
  const subscribers = added.subscribers ?? before?.subscribers;
  const channel = { ...added };
  if (subscribers !== undefined) channel.subscribers = union(subscribers, [state.user_id ?? 0]);
  putIn(state.subscriptions, channel);
  const stream = state.streams?.find(({ stream_id }) => stream_id === added.stream_id);
  if (stream !== undefined && added.subscriber_count !== undefined) stream.subscriber_count = added.subscriber_count;
}

function unsubscribe(state: ClientState, channelId: number): void {
  const channel = takeOut(state, channelId, ['subscriptions']);
  if (channel === undefined) return;
  if (channel.subscribers !== undefined) channel.subscribers = without(channel.subscribers, [state.user_id ?? 0]);
  putIn(state.unsubscribed, channel);
  for (const one of channelsOf(state, channelId)) if (one.subscriber_count !== undefined) one.subscriber_count--;
  changeUnread(state, (book) => {
    book.removeChannel(channelId);
  });
}

function peers(state: ClientState, event: any, combine: typeof union, sign: 1 | -1): void {
  for (const channelId of event.stream_ids) {
    for (const channel of channelsOf(state, channelId)) {
      if (channel.subscriber_count !== undefined) channel.subscriber_count += sign * event.user_ids.length;
      if (channel.subscribers !== undefined) channel.subscribers = combine(channel.subscribers, event.user_ids);
    }
  }
}

function realm(state: ClientState, { op, property, value, data }: any): void {
  const changed = op === 'update_dict' ? data : { [property]: value };
  for (const [name, now] of Object.entries(changed)) if (`realm_${name}` in state) state[`realm_${name}`] = now;
  const methods = changed.authentication_methods as { Email?: { enabled: boolean } } | undefined;
  for (const name of ['realm_email_auth_enabled', 'realm_password_auth_enabled'])
    if (methods !== undefined && name in state) state[name] = methods.Email?.enabled === true;
  // What meetings are held on follows from the organization's setting.
  if (property === 'jitsi_server_url' && 'jitsi_server_url' in state) state['jitsi_server_url'] = value;
}

function realmDomains(state: ClientState, { op, realm_domain: changed, domain }: any): void {
  const domains = state['realm_domains'] as { domain: string }[] | undefined;
  if (domains === undefined) return;
  if (op === 'add') state['realm_domains'] = [...domains, changed];
  if (op === 'change') state['realm_domains'] = domains.map((one) => (one.domain === changed.domain ? changed : one));
  if (op === 'remove') state['realm_domains'] = domains.filter((one) => one.domain !== domain);
}

/** The values of a field go with it. */
function customProfileFields(state: ClientState, fields: { id: number }[]): void {
  if (state['custom_profile_fields'] === undefined) return;
  state['custom_profile_fields'] = fields;
  const known = new Set(fields.map(({ id }) => String(id)));
  for (const { profile_data: values = {} } of [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])])
    for (const id of Object.keys(values)) if (!known.has(id)) Reflect.deleteProperty(values, id);
}

function realmUser(state: ClientState, { op, person }: any): void {
  // A limited guest who comes to know a user had a placeholder for them, or none, and gets one again or none.
  if (op === 'add' || op === 'remove') {
    for (const list of ['realm_users', 'realm_non_active_users'] as const)
      state[list] = state[list]?.filter(({ user_id }) => user_id !== person.user_id);
    if (op === 'remove') return;
    const list = person.is_active === false ? 'realm_non_active_users' : 'realm_users';
    state[list]?.push(person);
    state[list]?.sort((a, b) => a.user_id - b.user_id);
    return;
  }
  if (op !== 'update') throw new Error(`realm_user/${String(op)} is not understood here.`);
  const both = [...(state.realm_users ?? []), ...(state.realm_non_active_users ?? [])];
  const user = both.find(({ user_id }) => user_id === person.user_id);
  if (user === undefined) return;
  changeUser(user, person, computesAvatars(state));
  if (person.user_id === state.user_id) changeOwnAccount(state, person, user);
  if (person.is_active === undefined) return;
  const ordered = both.sort((a, b) => a.user_id - b.user_id);
  state.realm_users = ordered.filter(({ is_active }) => is_active !== false);
  state.realm_non_active_users = ordered.filter(({ is_active }) => is_active === false);
}

/** Whether the client computes pictures of users without one: then it is told of none. */
function computesAvatars(state: ClientState): boolean {
  const bots: any[] = state['cross_realm_bots'] ?? [];
  return bots.some(({ avatar_url }) => avatar_url === null);
}

function changeUser(user: UserState, person: any, computesAvatar: boolean): void {
  const {
    new_email: newEmail,
    custom_profile_field: field,
    avatar_source: source,
    avatar_url_medium: _,
    ...changes
  } = person;
  Object.assign(user, changes);
  if (newEmail !== undefined) user['email'] = newEmail;
  // The client computes pictures of those whose addresses everyone sees.
  if (source === 'G' && computesAvatar && user['email'] === user['delivery_email']) user['avatar_url'] = null;
  if (field !== undefined) {
    user['profile_data'] ??= {};
    if (field.value === null) Reflect.deleteProperty(user['profile_data'], String(field.id));
    else {
      const { id: _, ...value } = field;
      user['profile_data'][String(field.id)] = value;
    }
  }
  if (person.role === undefined) return;
  Object.assign(user, { is_owner: person.role === 100, is_admin: person.role <= 200, is_guest: person.role === 600 });
}

const OWN_FIELDS = ['full_name', 'delivery_email', 'avatar_source', 'avatar_url', 'avatar_url_medium'];

function changeOwnAccount(state: ClientState, person: any, user: UserState): void {
  for (const field of OWN_FIELDS) {
    if (field in person && field in state) state[field] = person[field];
  }
  if (person.new_email !== undefined && 'email' in state) state['email'] = person.new_email;
  if (person.role === undefined || !('is_admin' in state)) return;
  const { is_owner, is_admin, is_guest } = user;
  Object.assign(state, { is_owner, is_admin, is_guest, is_moderator: person.role <= 300 });
}

function userGroup(state: ClientState, event: any): void {
  const groups = state.realm_user_groups;
  if (groups === undefined) return;
  if (event.op === 'add') {
    groups.push(event.group);
    groups.sort((a, b) => a.id - b.id);
    return;
  }
  if (event.op === 'remove') {
    state.realm_user_groups = groups.filter(({ id }) => id !== event.group_id);
    return;
  }
  const group = groups.find(({ id }) => id === event.group_id);
  if (group === undefined) return;
  switch (event.op) {
    case 'update':
      Object.assign(group, event.data);
      return;
    case 'add_members':
      group.members = union(group.members, event.user_ids);
      return;
    case 'remove_members':
      group.members = without(group.members, event.user_ids);
      return;
    case 'add_subgroups':
      group['direct_subgroup_ids'] = union(group['direct_subgroup_ids'], event.direct_subgroup_ids);
      return;
    case 'remove_subgroups':
      group['direct_subgroup_ids'] = without(group['direct_subgroup_ids'], event.direct_subgroup_ids);
      return;
    default:
      throw new Error(`user_group/${String(event.op)} is not understood here.`);
  }
}

function restart(state: ClientState, { type: _, id: _id, ...fields }: any): void {
  for (const [name, value] of Object.entries(fields)) if (state[name] !== undefined) state[name] = value as never;
}
