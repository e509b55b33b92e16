import { readEvent, readRegister } from '../../support/reader/strict-reader.js';
import type { ApiClient } from '../../support/client.js';
import { startTestServer, type TestServer } from '../../support/server.js';

/** What clients of the advertised level look for, and the second reader by which every suite reads what it receives. */

const MODERN = {
  slim_presence: true,
  client_capabilities: { user_settings_object: true, bulk_message_deletion: true, simplified_presence_events: true },
};

let server: TestServer;
let ann: ApiClient;
let state: any;
beforeAll(async () => {
  server = await startTestServer({ EXTRA_EMOJI_TYPE: 'service_extra_emoji' });
  ann = await server.user('Ann Archer');
  ({ state } = await ann.register(MODERN));
});
afterAll(() => server.stop());

describe('the register response', () => {
  test('has what later levels removed, and the older names of what they renamed', () => {
    expect(state).toMatchObject({ realm_is_zephyr_mirror_realm: false, realm_giphy_rating: 2 });
    const { can_administer_channel_group: holders } = state.server_supported_permission_settings.stream;
    expect(holders.default_group_name).toBe('stream_creator_or_nobody');
  });

  test('names a release of the level, and a start', () => {
    expect([state.zulip_feature_level, state.zulip_version]).toEqual([421, '11.0']);
    expect(state.server_generation).toBeGreaterThan(1_600_000_000);
  });

  test('has no step that shows a film without its address', () => {
    expect(state.navigation_tour_video_url).toBeNull();
    expect(state.onboarding_steps.map(({ name }: any) => name)).not.toContain('navigation_tour_video');
  });
});

test('the type of the extra emoji can be the word of the service itself', async () => {
  await ann.ok('POST', '/users/me/status', { emoji_name: 'zulip' });
  const { status } = await ann.ok('GET', `/users/${ann.userId}/status`);
  expect(status.reaction_type).toBe('service_extra_emoji');
});

describe('the second reader', () => {
  const changed = (change: object): string[] => readRegister(MODERN, { ...state, ...change });

  test('finds nothing in an answer', () => {
    expect(changed({})).toEqual([]);
  });

  test('finds fields that are missing, renamed, foreign or of another type', () => {
    const { realm_is_zephyr_mirror_realm: _, ...without } = state;
    expect(readRegister(MODERN, without)).toEqual(['register.realm_is_zephyr_mirror_realm is missing']);
    const { realm_giphy_rating: realm_gif_rating_policy, ...renamed } = state;
    expect(readRegister(MODERN, { ...renamed, realm_gif_rating_policy })).toEqual([
      'register.realm_giphy_rating is missing',
      'register.realm_gif_rating_policy is foreign',
    ]);
    expect(changed({ realm_media_preview_size: 100 })).toEqual(['register.realm_media_preview_size is foreign']);
    expect(changed({ max_message_id: '7' })).toEqual(['register.max_message_id: "7" is no I']);
    expect(changed({ muted_topics: undefined })).toHaveLength(1);
  });

  test('finds words of a later level', () => {
    const settings = structuredClone(state.server_supported_permission_settings);
    settings.stream.can_administer_channel_group.default_group_name = 'channel_creator';
    settings.stream.can_create_topic_group = settings.stream.can_subscribe_group;
    expect(changed({ server_supported_permission_settings: settings })).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>]>([
    ['of an unknown kind', { type: 'web_reload_client', immediate: true }],
    ['without an ID', { id: undefined, type: 'invites_changed' }],
    ['with a field too many', { type: 'alert_words', alert_words: [], words: [] }],
    [
      'with an empty emoji type',
      { type: 'user_status', user_id: 1, emoji_name: '', emoji_code: '', reaction_type: '' },
    ],
    [
      'with a property that no client knows',
      { type: 'stream', op: 'update', stream_id: 1, name: 'x', property: 'colour', value: 1 },
    ],
    [
      'with a value of another type',
      { type: 'stream', op: 'update', stream_id: 1, name: 'x', property: 'name', value: 1 },
    ],
    [
      'that the capabilities exclude',
      { type: 'update_display_settings', user: 'a', setting_name: 'emojiset', setting: 'google' },
    ],
    ['that is half a move', halfAMove()],
  ])('finds an event %s', (_, event) => {
    expect(readEvent(MODERN, { id: 1, ...event })).toHaveLength(1);
  });
});

function halfAMove(): Record<string, unknown> {
  const common = { user_id: 1, rendering_only: false, message_id: 1, message_ids: [1], flags: [], edit_timestamp: 1 };
  return { type: 'update_message', ...common, subject: 'x', topic_links: [] };
}
