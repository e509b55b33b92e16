import type { MessageDocument } from '#messages';
import { avatarUrl, type User } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { ReadSideFixture } from '../read-side.fixture.js';
import { wireMessage, type WireOptions } from './wire-message.js';

const OPTIONS: WireOptions = {
  applyMarkdown: true,
  clientGravatar: true,
  allowEmptyTopicName: true,
  extraEmojiType: new ExtraEmojiType(),
};

const VERSIONS = [
  { position: 14, content: 'b' },
  { position: 12, content: 'a' },
];

describe('a message on the wire', () => {
  let world: ReadSideFixture;
  let ann: User;
  let bob: User;
  let general: number;
  let old: number;
  let secret: number;
  beforeAll(async () => {
    world = await ReadSideFixture.create();
    ann = await world.user('ann@example.com');
    bob = await world.user('bob@example.com');
    general = await world.channel('general', 'public', ann, bob);
    old = await world.channel('old', 'public', bob);
    secret = await world.channel('secret', 'private', bob);
    await world.send(ann, [bob]);
  });
  afterAll(() => world.destroy());

  const inChannel = (more: Partial<MessageDocument> = {}): MessageDocument => ({
    conversation: `c:${general}`,
    topicKey: 'lunch',
    topic: 'Lunch',
    senderId: bob.userId,
    content: 'two\nlines',
    client: 'test',
    at: 100,
    bytes: 0,
    ...more,
  });
  const wire = (doc: MessageDocument, options: Partial<WireOptions> = {}, flags?: string[]) =>
    wireMessage(world.directory, ann, 7, doc, flags, { ...OPTIONS, ...options }, VERSIONS);

  test('in a channel', () => {
    expect(wire(inChannel(), {}, ['read'])).toEqual({
      id: 7,
      type: 'stream',
      stream_id: general,
      display_recipient: 'general',
      recipient_id: 2 * general,
      subject: 'Lunch',
      content: '<p>two<br>\nlines</p>',
      content_type: 'text/html',
      sender_id: bob.userId,
      sender_email: 'bob@example.com',
      sender_full_name: 'bob@example.com',
      sender_realm_str: '',
      avatar_url: null,
      client: 'test',
      timestamp: 100,
      is_me_message: false,
      flags: ['read'],
      reactions: [],
      submessages: [],
      topic_links: [],
    });
  });

  test('to people, each of them once', () => {
    const doc = { ...inChannel(), conversation: `d:${ann.userId},${bob.userId}`, topicKey: '' };
    const { topic: _, ...direct } = doc;
    expect(wire(direct, { allowEmptyTopicName: false })).toMatchObject({
      type: 'private',
      subject: '',
      recipient_id: 5,
      display_recipient: [
        { id: ann.userId, email: 'ann@example.com', full_name: 'ann@example.com', is_mirror_dummy: false },
        { id: bob.userId, email: 'bob@example.com', full_name: 'bob@example.com', is_mirror_dummy: false },
      ],
    });
    expect(wire(direct)).not.toHaveProperty('stream_id');
    expect(wire(direct)).toHaveProperty('flags', undefined);
  });

  test('in its source', () => {
    expect(wire(inChannel({ content: '/me *waves*', rendered: 'HTML' }), { applyMarkdown: false })).toMatchObject({
      content: '/me *waves*',
      content_type: 'text/x-markdown',
      is_me_message: true,
    });
  });

  test('with the address of an avatar, for clients that cannot compute it', () => {
    const { avatar_url } = wire(inChannel(), { clientGravatar: false });
    expect(avatar_url).toMatch(/^\/user_avatars\/1\/[0-9a-f]{40}\.png\?version=1$/);
    expect(avatarUrl(bob, true)).toBeNull();
  });

  test('with its edits and moves, and the empty topic by the name that the client knows', () => {
    const doc = inChannel({
      topic: '',
      topicKey: '',
      edits: [
        { by: 4, at: 300, position: 13, prevTopic: 'Lunch', topic: '', prevChannelId: old, channelId: general },
        { by: 5, at: 200, position: 12, edited: true },
      ],
      lastEditAt: 200,
      lastMovedAt: 300,
    });
    const edits = [
      { user_id: 4, timestamp: 300, prev_stream: old, stream: general, prev_topic: 'Lunch', topic: '' },
      { user_id: 5, timestamp: 200, prev_content: 'a', prev_rendered_content: '<p>a</p>' },
    ];
    expect(wire(doc)).toMatchObject({
      subject: '',
      edit_history: edits,
      last_edit_timestamp: 200,
      last_moved_timestamp: 300,
    });
    expect(wire(doc, { allowEmptyTopicName: false })).toMatchObject({
      subject: 'general chat',
      edit_history: [{ ...edits[0], topic: 'general chat' }, edits[1]],
    });
  });

  test('without what it was where the viewer may not read', () => {
    const doc = inChannel({
      edits: [
        { by: 4, at: 400, position: 14, edited: true },
        { by: 4, at: 300, position: 13, prevTopic: 'plot', topic: 'Lunch', prevChannelId: secret, channelId: general },
        { by: 5, at: 200, position: 12, edited: true },
      ],
    });
    expect(wire(doc).edit_history).toEqual([
      { user_id: 4, timestamp: 400, prev_content: 'b', prev_rendered_content: '<p>b</p>' },
    ]);
    expect(wireMessage(world.directory, bob, 7, doc, [], OPTIONS, VERSIONS).edit_history).toHaveLength(3);
    expect(wire({ ...doc, edits: doc.edits!.slice(1) }).edit_history).toBeUndefined();
  });

  test.each(['zulip_extra_emoji', 'service_extra_emoji'] as const)('with the extra emoji as %s', (name) => {
    const reaction = { emojiName: 'z', emojiCode: 'z', reactionType: 'service_extra_emoji' as const, userId: 4 };
    const doc = inChannel({ reactions: [reaction] });
    const { reactions } = wire(doc, { extraEmojiType: new ExtraEmojiType(name) });
    expect(reactions).toEqual([{ emoji_name: 'z', emoji_code: 'z', user_id: 4, reaction_type: name }]);
  });
});
