import { NO_CUSTOM_EMOJI } from '#pictures/model';
import { specFor } from '#testing';
import { ANN, at, base, BOB, place } from '../model/message.decider.fixture.js';
import type { ReactionAdded, ReactionRemoved } from '../model/messages.events.js';
import { resolveEmoji } from '../model/reaction-emoji.js';
import type { AddReaction, RemoveReaction } from './reaction.commands.js';
import { reactionDecider, reactionRemovalDecider } from './reaction.decider.js';

const given = specFor(reactionDecider);
const givenRemoval = specFor(reactionRemovalDecider);
const tada = { emojiName: 'tada', emojiCode: '1f389', reactionType: 'unicode_emoji' } as const;
type Asked = Partial<Parameters<typeof resolveEmoji>[0]>;
const asked = ({ name, code, type }: Asked) => resolveEmoji({ name, code, type }, NO_CUSTOM_EMOJI);
const react = (emoji: Asked, by = ANN): AddReaction => ({ ...base, by, asked: asked(emoji) });
const unreact = (emoji: Asked, by = ANN): RemoveReaction => ({ ...base, by, asked: asked(emoji) });
const added = (userId = ANN, emoji: ReactionAdded['data'] | typeof tada = tada): ReactionAdded => ({
  type: 'reaction.added.v1',
  data: { messageId: 5, userId, ...emoji, place, at },
});
const removed = (userId = ANN): ReactionRemoved => ({
  type: 'reaction.removed.v1',
  data: { messageId: 5, userId, ...tada, place, at },
});

test('by name, by name and code, by everything', () => {
  given()
    .when(react({ name: 'tada' }))
    .then(added());
  given()
    .when(react({ name: 'tada', code: '1f389' }))
    .then(added());
  given()
    .when(react({ name: 'tada', code: '1f389', type: 'unicode_emoji' }))
    .then(added());
});

test('twice is refused, and once more after removal is not', () => {
  given(added())
    .when(react({ name: 'tada' }))
    .thenRefused('REACTION_ALREADY_EXISTS');
  given(added(), removed())
    .when(react({ name: 'tada' }))
    .then(added());
});

test('another user may join, and the first one’s name for it stays', () => {
  const smile = { emojiName: 'slight_smile', emojiCode: '1f642', reactionType: 'unicode_emoji' } as const;
  const first: ReactionAdded = { type: 'reaction.added.v1', data: { ...added(BOB).data, ...smile } };
  given(first)
    .when(react({ name: 'smile', code: '1f642', type: 'unicode_emoji' }))
    .then({ ...first, data: { ...first.data, userId: ANN } });
});

test.each([
  ['an unknown name', { name: 'no_such_emoji' }],
  ['a code that is none', { name: 'tada', code: 'zzz', type: 'unicode_emoji' }],
  ['a code that is none, of no type', { name: 'tada', code: 'constructor' }],
  ['a name of another emoji', { name: 'tada', code: '1f642', type: 'unicode_emoji' }],
  ['custom emoji', { name: 'party', code: '1', type: 'realm_emoji' }],
  ['an extra emoji that is none', { name: 'tada', code: 'tada', type: 'service_extra_emoji' }],
] as const)('%s', (_, emoji) => {
  given().when(react(emoji)).thenRefused('BAD_REQUEST');
});

test('the extra emoji', () => {
  const extra = { emojiName: 'zulip', emojiCode: 'zulip', reactionType: 'service_extra_emoji' } as const;
  const fact: ReactionAdded = { type: 'reaction.added.v1', data: { ...added().data, ...extra } };
  given()
    .when(react({ name: 'zulip' }))
    .then(fact);
  given()
    .when(react({ name: 'zulip', code: 'zulip', type: 'service_extra_emoji' }))
    .then(fact);
});

test('removal by name, or by code alone', () => {
  givenRemoval(added())
    .when(unreact({ name: 'tada' }))
    .then(removed());
  givenRemoval(added())
    .when(unreact({ code: '1f389' }))
    .then(removed());
});

test('what one did not add cannot be removed', () => {
  givenRemoval(added(BOB))
    .when(unreact({ name: 'tada' }))
    .thenRefused('REACTION_DOES_NOT_EXIST');
  givenRemoval()
    .when(unreact({ name: 'tada', code: 'zzz' }))
    .thenRefused('BAD_REQUEST');
  givenRemoval()
    .when(unreact({ name: 'no_such_emoji' }))
    .thenRefused('BAD_REQUEST');
});

test('the code decides which reaction is removed, with any name beside it', () => {
  for (const type of ['unicode_emoji', undefined] as const) {
    givenRemoval(added())
      .when(unreact({ name: 'smile', code: '1f389', type }))
      .then(removed());
    givenRemoval(added())
      .when(unreact({ name: 'tada', code: '1f642', type }))
      .thenRefused('REACTION_DOES_NOT_EXIST');
  }
  givenRemoval(added())
    .when(unreact({ name: 'party', code: '1', type: 'realm_emoji' }))
    .thenRefused('BAD_REQUEST');
});

test('codes may be written with variation selectors', () => {
  const flag = {
    emojiName: 'transgender_flag',
    emojiCode: '1f3f3-200d-26a7',
    reactionType: 'unicode_emoji',
  } as const;
  const fact: ReactionAdded = { type: 'reaction.added.v1', data: { ...added().data, ...flag } };
  for (const code of ['1f3f3-fe0f-200d-26a7-fe0f', '1f3f3-200d-26a7-fe0f', '1f3f3-200d-26a7']) {
    given()
      .when(react({ name: 'transgender_flag', code, type: 'unicode_emoji' }))
      .then(fact);
    givenRemoval(fact).when(unreact({ code })).then({ type: 'reaction.removed.v1', data: fact.data });
  }
});

test.each(['cat/1f408', 'dog/1f415', 'up/2b06', 'construction/1f3d7', 'chart/1f4c8', 'jack-o-lantern/1f383'])(
  'the names that clients send: %s',
  (pair) => {
    const [emojiName = '', emojiCode = ''] = pair.split('/');
    const emoji = { emojiName, emojiCode, reactionType: 'unicode_emoji' } as const;
    given()
      .when(react({ name: emojiName, code: emojiCode, type: 'unicode_emoji' }))
      .then({ type: 'reaction.added.v1', data: { ...added().data, ...emoji } });
  },
);

test('nothing changes in an archived channel', () => {
  given()
    .when({ ...react({ name: 'tada' }), isArchived: true })
    .thenRefused('BAD_REQUEST');
});
