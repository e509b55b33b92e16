import { createHash } from 'node:crypto';
import { specFor } from '#testing';
import { EMPTIED_CONTENT, acceptContent, acceptEditedContent } from '../model/message-content.js';
import { ANN, at, base, BOB, place, sent, sentAt } from '../model/message.decider.fixture.js';
import { MESSAGE_SETTINGS } from '../model/message-settings.fixture.js';
import type { FileReference as File, MessageDeleted, MessageEdited, MessagesMoved } from '../model/messages.events.js';
import type { MoveContext } from '../move/move.commands.js';
import type { ChangeMessage } from './change.commands.js';
import { changeDecider } from './change.decider.js';

const DAY = 86_400;
const given = specFor(changeDecider);
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

function change(part: Partial<ChangeMessage>): ChangeMessage {
  const notices = { oldThread: false, newThread: true };
  return { ...base, settings: MESSAGE_SETTINGS, propagateMode: 'change_one', notices, ...part };
}
const edit = (content: string, part: Partial<ChangeMessage> = {}) => change({ content: { content }, ...part });

function edited(content: string, prevContent = 'hello'): MessageEdited {
  return { type: 'message.edited.v1', data: { messageId: 5, by: ANN, content, prevContent, place, at } };
}

const answers: MoveContext = {
  to: { channelId: 3, topic: 'dinner' },
  mayChangeTopic: true,
  mayResolveTopic: true,
  mayLeaveChannel: true,
  skipsTimeLimits: false,
  destination: { name: 'Denmark', maySend: true, mayUseTopic: true, topicsPolicy: 'inherit' },
  ids: [5],
  firstLeft: undefined,
  merges: false,
  takesBack: undefined,
};

/** A move to another topic, and with `channelId` to another channel. */
function move(part: Partial<MoveContext> = {}, rest: Partial<ChangeMessage> = {}): ChangeMessage {
  const answered = { ...answers, ...part };
  const { channelId, topic } = answered.to;
  const asked = channelId === place.channelId ? { topic } : { topic, channelId };
  return change({ move: answered, ...asked, ...rest });
}

function moved(part: Partial<MessagesMoved['data']> = {}): MessagesMoved {
  return {
    type: 'messages.moved.v1',
    data: {
      targetId: 5,
      ids: [[5, 5]],
      firstId: 5,
      by: ANN,
      from: place,
      to: answers.to,
      propagateMode: 'change_one',
      at,
      entails: { oldThread: false, newThread: true, merges: false },
      ...part,
    },
  };
}

const deleted: MessageDeleted = { type: 'message.deleted.v1', data: { messageId: 5, by: ANN, place, at } };

test('what is gone takes no command', () => {
  given(deleted).when(edit('x')).thenRefused('BAD_REQUEST');
  given(deleted).when(move()).thenRefused('BAD_REQUEST');
});

describe('content', () => {
  test('the sender edits', () => given().when(edit('hello, all')).then(edited('hello, all')));

  test('the next edit knows what the one before made', () =>
    given(edited('two')).when(edit('three')).then(edited('three', 'two')));

  test('the HTML before is kept, unless it was plain', () =>
    given({ ...edited('*two*'), data: { ...edited('*two*').data, rendered: '<p><em>two</em></p>' } })
      .when(edit('three'))
      .then({
        type: 'message.edited.v1',
        data: { ...edited('three', '*two*').data, prevRendered: '<p><em>two</em></p>' },
      }));

  test('the same content again is no edit', () => {
    given(edited('two')).when(edit('two')).thenRefused('BAD_REQUEST');
    given()
      .when(move({}, { content: { content: 'hello' } }))
      .then(moved());
  });

  test('users who are no longer mentioned are named', () => {
    const mentioning = { content: '@x', mentions: [BOB, ANN] };
    const first = { ...edited('@x'), data: { ...edited('@x').data, mentions: [BOB, ANN] } };
    given()
      .when(change({ content: mentioning }))
      .then(first);
    given(first)
      .when(change({ content: { content: '@y', mentions: [ANN] } }))
      .then({
        type: 'message.edited.v1',
        data: { ...edited('@y', '@x').data, mentions: [ANN], unmentioned: [BOB] },
      });
    given()
      .when(edit('quiet', { sent: { ...sent, mentions: [BOB] } }))
      .then({ ...edited('quiet'), data: { ...edited('quiet').data, unmentioned: [BOB] } });
  });

  test('files that come and go are named', () => {
    const [one, two, three] = [1, 2, 3].map((fileId) => ({ fileId, ownerId: BOB })) as [File, File, File];
    const files = [two, three];
    const next = edited('@y');
    given()
      .when(change({ content: { content: '@y', files }, sent: { ...sent, files: [one, two] } }))
      .then({ ...next, data: { ...next.data, files, attached: [three], detached: [one] } });
    const first = { ...edited('@x'), data: { ...edited('@x').data, files } };
    given(first)
      .when(edit('@y'))
      .then({ ...next, data: { ...next.data, prevContent: '@x', detached: files } });
  });

  test.each(['/poll lunch?', '/todo', '/poll\nyes'])('widgets are not edited: %j', (content) => {
    given()
      .when(edit('x', { sent: { ...sent, content } }))
      .thenRefused('BAD_REQUEST');
  });

  test('nor is a widget that a service asked for', () => {
    given()
      .when(edit('x', { sent: { ...sent, widget: { type: 'zform', content: '{}' } } }))
      .thenRefused('BAD_REQUEST');
  });

  test('what an edit made look like a widget is none', () => {
    given(edited('/poll lunch?')).when(edit('x')).then(edited('x', '/poll lunch?'));
  });

  test('no other user edits, with any role', () => {
    given()
      .when(edit('x', { by: BOB }))
      .thenRefused('BAD_REQUEST');
  });

  test('the limit is 600 s and 20 s of grace', () => {
    given()
      .when(edit('x', { at: sentAt + 620 }))
      .then({ ...edited('x'), data: { ...edited('x').data, at: sentAt + 620 } });
    given()
      .when(edit('x', { at: sentAt + 621 }))
      .thenRefused('BAD_REQUEST');
    const settings = { ...MESSAGE_SETTINGS, contentEditLimitSeconds: null };
    given()
      .when(edit('x', { at: sentAt + DAY, settings }))
      .then({ ...edited('x'), data: { ...edited('x').data, at: sentAt + DAY } });
  });

  test('editing can be switched off', () => {
    given()
      .when(edit('x', { settings: { ...MESSAGE_SETTINGS, allowMessageEditing: false } }))
      .thenRefused('BAD_REQUEST');
  });

  test('an edit of what has changed meanwhile is refused', () => {
    given()
      .when(edit('x', { prevContentSha256: sha256('hello').toUpperCase() }))
      .then(edited('x'));
    given(edited('two'))
      .when(edit('x', { prevContentSha256: sha256('hello') }))
      .thenRefused('EXPECTATION_MISMATCH', { field_name: 'prev_content_sha256' });
  });

  test('wildcards need permission in edits, too', () => {
    const content = { content: '@**all**', channelWildcard: true as const };
    const wildcards = { mayMentionMany: false, subscriberCount: 16 };
    given().when(change({ content, wildcards })).thenRefused('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
    // After the permission to move, and before the destination.
    given()
      .when(move({ mayChangeTopic: false }, { content, wildcards }))
      .thenRefused('BAD_REQUEST');
    given()
      .when(
        move({ destination: { ...answers.destination!, maySend: false, mayUseTopic: false } }, { content, wildcards }),
      )
      .thenRefused('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  });

  test('emptied content is stored as such, and a new message cannot be empty', () => {
    expect(acceptEditedContent(' \n ')).toBe(EMPTIED_CONTENT);
    expect(() => acceptContent(' \n ')).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    expect(() => acceptContent('a\0')).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
    expect(() => acceptEditedContent('a\0')).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }));
  });

  test('too long content ends in a mark, and counts code points', () => {
    expect(acceptContent('😀'.repeat(10_000))).toBe('😀'.repeat(10_000));
    const cut = acceptContent('😀'.repeat(10_001));
    expect(cut.endsWith('\n[message truncated]')).toBe(true);
    expect(Array.from(cut)).toHaveLength(10_000);
  });
});

describe('what is asked must make sense', () => {
  const direct = { to: [ANN, BOB] };
  test.each([
    ['nothing', change({})],
    ['a topic that stays', change({ topic: 'lunch' })],
    ['the topic of a direct message', change({ place: direct, topic: 'x' })],
    ['the channel of a direct message', change({ place: direct, channelId: 4 })],
    ['content and channel at once', edit('x', { channelId: 4 })],
    ['to propagate an edit', edit('x', { propagateMode: 'change_all' })],
    ['a change in an archived channel', edit('x', { isArchived: true })],
  ])('%s', (_, command) => {
    given().when(command).thenRefused('BAD_REQUEST');
  });

  test('content with an unchanged topic is an edit, with any propagate mode', () =>
    given()
      .when(edit('x', { topic: 'lunch', propagateMode: 'change_later' }))
      .then(edited('x')));
});

describe('moves', () => {
  test('one message to another topic', () => given().when(move()).then(moved()));

  test('an edit and a move are one event, and the next edit knows of it', () => {
    const mentioning = { content: '@y', rendered: '<p>y</p>', mentions: [BOB] };
    const both = moved({ edit: { ...mentioning, prevContent: 'hello' } });
    given()
      .when(move({}, { content: mentioning }))
      .then(both);
    given(both)
      .when(edit('z'))
      .then({
        type: 'message.edited.v1',
        data: { ...edited('z', '@y').data, prevRendered: '<p>y</p>', unmentioned: [BOB] },
      });
  });

  test('and says what is to follow', () => {
    given()
      .when(move({ merges: true, takesBack: 4 }, { notices: { oldThread: true, newThread: false } }))
      .then(moved({ entails: { oldThread: true, newThread: false, merges: true, takesBack: 4 } }));
  });

  test('many messages, as runs', () =>
    given()
      .when(move({ ids: [5, 6, 9] }, { propagateMode: 'change_later' }))
      .then(
        moved({
          ids: [
            [5, 6],
            [9, 9],
          ],
          propagateMode: 'change_later',
        }),
      ));

  test('the target moves even when the topic was read without it', () =>
    given()
      .when(move({ ids: [2] }, { propagateMode: 'change_all' }))
      .then(
        moved({
          ids: [
            [2, 2],
            [5, 5],
          ],
          firstId: 2,
          propagateMode: 'change_all',
        }),
      ));

  test('another user may move, but not edit in the same request', () => {
    given()
      .when(move({}, { by: BOB }))
      .then(moved({ by: BOB }));
    given()
      .when(move({}, { by: BOB, content: { content: 'x' } }))
      .thenRefused('BAD_REQUEST');
  });

  const elsewhere = { channelId: 4, topic: 'lunch' };
  test('to another channel', () =>
    given()
      .when(move({ to: elsewhere }))
      .then(moved({ to: elsewhere })));

  test.each([
    ['no permission for topics', move({ mayChangeTopic: false })],
    ['no permission for channels', move({ to: elsewhere, mayLeaveChannel: false })],
    ['an unknown or unreadable channel', move({ to: elsewhere, destination: undefined })],
    [
      'a channel one may not post to',
      move({
        to: elsewhere,
        destination: { name: 'x', maySend: false, mayUseTopic: true, topicsPolicy: 'inherit' },
      }),
    ],
    [
      'a topic that the channel does not allow',
      move({ destination: { name: 'x', maySend: true, mayUseTopic: true, topicsPolicy: 'empty_topic_only' } }),
    ],
    [
      'a new topic without permission',
      move({ destination: { name: 'x', maySend: true, mayUseTopic: false, topicsPolicy: 'inherit' } }),
    ],
    ['a message that is too old', move({}, { at: sentAt + 7 * DAY + 21 })],
    ['resolving the empty topic', move({ to: { channelId: 3, topic: '✔' } }, { place: { channelId: 3, topic: '' } })],
  ])('%s', (_, command) => {
    given().when(command).thenRefused('BAD_REQUEST');
  });

  test('moderators move what is old', () => {
    const late = sentAt + 8 * DAY;
    given()
      .when(move({ skipsTimeLimits: true }, { at: late }))
      .then(moved({ at: late }));
  });

  test('resolving has a permission of its own', () => {
    const to = { channelId: 3, topic: '✔ lunch' };
    given()
      .when(move({ to, mayChangeTopic: false }))
      .then(moved({ to }));
    given()
      .when(move({ to, mayResolveTopic: false }))
      .thenRefused('BAD_REQUEST');
  });

  test('a whole topic of which a part is too old', () => {
    const ids = [1, 2, 5];
    const whole = { propagateMode: 'change_all' } as const;
    given()
      .when(move({ ids, window: { firstAllowedId: 2, allowedCount: 2, totalCount: 3 } }, whole))
      .thenRefused('MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', {
        first_message_id_allowed_to_move: 2,
        total_messages_allowed_to_move: 2,
        total_messages_in_topic: 3,
      });
    given()
      .when(move({ ids, window: { firstAllowedId: 1, allowedCount: 3, totalCount: 3 } }, whole))
      .then(
        moved({
          ids: [
            [1, 2],
            [5, 5],
          ],
          firstId: 1,
          ...whole,
        }),
      );
  });

  describe('that takes several events', () => {
    const whole = { propagateMode: 'change_all' } as const;
    const rest = { after: 4, until: 90_000 };

    test('begins with what one event moves, and says what is left', () => {
      given()
        .when(move({ ids: [1, 2, 3, 4, 5], rest }, whole))
        .then(moved({ ids: [[1, 5]], firstId: 1, rest, ...whole }));
    });
  });
});
