import { specFor } from '#testing';
import { problemWithSubmessage } from './submessage-content.js';
import { submessageDecider, SUBMESSAGES_MAX, type AddSubmessage } from './submessage.decider.js';
import type { MessageEvent } from '../model/messages.events.js';
import { submessageIdOf, widgetOf, widgetOfMessage } from '../model/widget.js';
import { givenWidget } from './widget-content.js';

const place = { channelId: 1, topic: 'lunch' };

describe('a widget', () => {
  const extraOf = (content: string): unknown => {
    const widget = widgetOf(content);
    if (widget === undefined) return undefined;
    const { widget_type, extra_data } = JSON.parse(widget.content);
    expect(widget_type).toBe(widget.type);
    return extra_data;
  };

  test.each<[string, unknown]>([
    ['/poll', { question: '', options: [] }],
    ['/poll  What?  ', { question: 'What?', options: [] }],
    ['/poll What?\nthis\n\n- that\n* more', { question: 'What?', options: ['this', 'that', 'more'] }],
    ['/poll\nthis', { question: '', options: ['this'] }],
    ['/todo', { task_list_title: '', tasks: [] }],
    [
      '/todo Week\neggs\n- milk: 2 l: cold',
      {
        task_list_title: 'Week',
        tasks: [
          { task: 'eggs', desc: '' },
          { task: 'milk', desc: '2 l: cold' },
        ],
      },
    ],
    ['/pollen is in the air', undefined],
    ['no /poll', undefined],
    ['/me polls', undefined],
  ])('in %j', (content, extra) => expect(extraOf(content)).toEqual(extra));
});

describe('a widget that a service asks for', () => {
  const poll = { widget_type: 'poll', extra_data: { question: 'Q', options: ['a', 'b'] } };
  const todo = { widget_type: 'todo', extra_data: { task_list_title: '', tasks: [{ task: 'a', desc: '' }] } };
  const choice = { type: 'multiple_choice', short_name: 'A', long_name: 'all', reply: 'answer A' };
  const form = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Which?', choices: [choice] } };

  test.each([poll, todo, form])('%j', (said) => {
    const widget = { type: said.widget_type, content: JSON.stringify(said) };
    expect(givenWidget(said)).toEqual(widget);
    expect(givenWidget(JSON.stringify(said))).toEqual(widget);
    expect(widgetOfMessage({ content: '/todo x', widget: givenWidget(said)! })).toEqual(widget);
  });

  test.each<unknown>([
    ...['', 'poll', '{', 'null', '[]', null, 3, [], {}, [poll]],
    { widget_type: 'poll' },
    { widget_type: 'constructor', extra_data: {} },
    { widget_type: 'todo', extra_data: poll.extra_data },
    { ...poll, more: 1 },
    { ...poll, extra_data: JSON.stringify(poll.extra_data) },
    { ...poll, extra_data: { ...poll.extra_data, more: 1 } },
    { ...poll, extra_data: { question: 'Q' } },
    { ...poll, extra_data: { question: 'Q', options: ['a', ' '] } },
    { ...poll, extra_data: { question: 'Q', options: [1] } },
    { ...poll, extra_data: { question: 'x'.repeat(10_000), options: [] } },
    { ...poll, extra_data: { question: '', options: Array(1001).fill('a') } },
    { ...todo, extra_data: { task_list_title: '', tasks: [{ task: 'a' }] } },
    { ...form, extra_data: { ...form.extra_data, type: 'dance' } },
    { ...form, extra_data: { ...form.extra_data, choices: [{ ...choice, reply: '' }] } },
  ])('not %j', (said) => {
    expect(givenWidget(said)).toBeUndefined();
  });

  test('has submessages of its kind, and choices have none', () => {
    expect(problemWithSubmessage('zform', JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }), true)).toEqual(
      expect.any(String),
    );
  });
});

describe('what is said about a widget', () => {
  test.each<['poll' | 'todo', object, boolean, boolean]>([
    ['poll', { type: 'vote', key: '4,1', vote: 1 }, false, true],
    ['poll', { type: 'vote', key: '4,1', vote: -1 }, false, true],
    ['poll', { type: 'vote', key: '4,1', vote: 2 }, false, false],
    ['poll', { type: 'vote', key: '4,1', vote: 1, more: 1 }, false, false],
    ['poll', { type: 'new_option', idx: 1, option: 'x' }, false, true],
    ['poll', { type: 'new_option', idx: 'x', option: 'x' }, false, false],
    ['poll', { type: 'new_option', idx: 0, option: 'x' }, false, true],
    ['poll', { type: 'new_option', idx: 1000, option: 'x' }, false, true],
    ['poll', { type: 'new_option', idx: -1, option: 'x' }, false, false],
    ['poll', { type: 'new_option', idx: 1001, option: 'x' }, false, false],
    ['poll', { type: 'new_option', idx: 1.5, option: 'x' }, false, false],
    ['poll', { type: 'new_option', idx: 1, option: '' }, false, false],
    ['poll', { type: 'new_option', idx: 1, option: ' \n ' }, false, false],
    ['poll', { type: 'question', question: 'x' }, true, true],
    ['poll', { type: 'question', question: 'x' }, false, false],
    ['poll', { type: 'strike', key: 'x' }, true, false],
    ['poll', { type: 'constructor' }, true, false],
    ['todo', { type: 'new_task', key: 1, task: 'x', desc: '', completed: false }, false, true],
    ['todo', { type: 'new_task', key: 1, task: 'x' }, false, false],
    ['todo', { type: 'new_task', key: -1, task: 'x', desc: '', completed: false }, false, false],
    ['todo', { type: 'new_task', key: 1, task: ' ', desc: '', completed: false }, false, false],
    ['todo', { type: 'strike', key: '0,canned' }, false, true],
    ['todo', { type: 'new_task_list_title', title: 'x' }, true, true],
    ['todo', { type: 'new_task_list_title', title: 'x' }, false, false],
    ['todo', {}, true, false],
    ['todo', [], true, false],
  ])('%s %j (by its author: %s)', (widget, said, isAuthor, isFine) => {
    expect(problemWithSubmessage(widget, JSON.stringify(said), isAuthor) === undefined).toBe(isFine);
  });

  test.each(['', 'vote', '{"type":', 'null', '3'])('%j is nothing', (content) => {
    expect(problemWithSubmessage('poll', content, true)).toEqual(expect.any(String));
  });
});

describe('submessages', () => {
  const given = specFor(submessageDecider);
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
  const add: AddSubmessage = {
    messageId: 7,
    by: 4,
    at: 100,
    sent: { senderId: 9, content: '/poll Lunch?\nyes\nno' },
    place,
    isArchived: false,
    msgType: 'widget',
    content: vote,
  };
  const added = (number: number, senderId = 4): MessageEvent => ({
    type: 'submessage.added.v1',
    data: { messageId: 7, submessageId: submessageIdOf(7, number), senderId, content: vote, place, at: 100 },
  });

  test('are numbered within their message', () => {
    given().when(add).then(added(1));
    given(added(1), added(2, 5)).when(add).then(added(3));
  });

  test('belong to widgets', () => {
    given()
      .when({ ...add, sent: { senderId: 4, content: 'lunch' } })
      .thenRefused('BAD_REQUEST');
    given()
      .when({ ...add, msgType: 'note' })
      .thenRefused('BAD_REQUEST');
  });

  test('belong to widgets that a service asked for', () => {
    const widget = { type: 'poll', content: '{}' } as const;
    given()
      .when({ ...add, sent: { senderId: 9, content: 'lunch', widget } })
      .then(added(1));
  });

  test('are not for what is gone or closed', () => {
    given({ type: 'message.deleted.v1', data: { messageId: 7, by: 9, place, at: 99 } })
      .when(add)
      .thenRefused('BAD_REQUEST');
    given()
      .when({ ...add, isArchived: true })
      .thenRefused('BAD_REQUEST');
  });

  test('have a limit, for one and for all', () => {
    const many = (count: number, senderOf: (n: number) => number): MessageEvent[] =>
      Array.from({ length: count }, (_, n) => added(n + 1, senderOf(n)));
    given(...many(500, () => 4))
      .when(add)
      .thenRefused('BAD_REQUEST');
    given(...many(500, () => 4))
      .when({ ...add, by: 5 })
      .then(added(501, 5));
    given(...many(SUBMESSAGES_MAX, (n) => 10 + n))
      .when(add)
      .thenRefused('BAD_REQUEST');
  });
});
