/** Polls and to-do lists of the chat page: what their submessages come to. */
import { widgetOf } from '../../web/chat/widgets/fold.js';
import type { Submessage } from '../../web/chat/model/wire.js';

const [ANN, BEN] = [7, 8];
const said = (by: number, content: object | string): Submessage => ({
  sender_id: by,
  content: typeof content === 'string' ? content : JSON.stringify(content),
});
const poll = said(ANN, { widget_type: 'poll', extra_data: { question: 'When?', options: ['now', 'later'] } });
const todo = said(ANN, {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Release', tasks: [{ task: 'tag', desc: 'the last commit' }] },
});

test('votes count once for each person, and are taken back', () => {
  const votes = [
    said(BEN, { type: 'vote', key: 'canned,1', vote: 1 }),
    said(BEN, { type: 'vote', key: 'canned,1', vote: 1 }),
    said(ANN, { type: 'vote', key: 'canned,0', vote: 1 }),
    said(ANN, { type: 'vote', key: 'canned,0', vote: -1 }),
  ];
  expect(widgetOf([poll, ...votes], ANN)).toMatchObject({
    question: 'When?',
    options: [
      { text: 'now', votes: new Set() },
      { text: 'later', votes: new Set([BEN]) },
    ],
  });
});

test('options of a person are numbered by themselves, and the same text is there once', () => {
  const more = [
    said(BEN, { type: 'new_option', idx: 1, option: 'never' }),
    said(ANN, { type: 'new_option', idx: 4, option: 'never' }),
    said(BEN, { type: 'vote', key: `${BEN},1`, vote: 1 }),
    said(ANN, { type: 'question', question: 'When then?' }),
  ];
  const folded = widgetOf([poll, ...more], ANN);
  expect(folded).toMatchObject({ question: 'When then?', nextIndex: 5 });
  expect(folded).toHaveProperty('options.2', { key: `${BEN},1`, text: 'never', votes: new Set([BEN]) });
  expect(folded).not.toHaveProperty('options.3');
});

test('tasks are ticked and unticked by their keys', () => {
  const acts = [
    said(BEN, { type: 'new_task', key: 3, task: 'announce', desc: '', completed: false }),
    said(ANN, { type: 'strike', key: `3,${BEN}` }),
    said(ANN, { type: 'strike', key: '0,canned' }),
    said(BEN, { type: 'strike', key: '0,canned' }),
  ];
  expect(widgetOf([todo, ...acts], BEN)).toEqual({
    kind: 'todo',
    title: 'Release',
    nextIndex: 4,
    tasks: [
      { key: '0,canned', text: 'tag', about: 'the last commit', isDone: false },
      { key: `3,${BEN}`, text: 'announce', about: '', isDone: true },
    ],
  });
});

test('what is none of it is no widget', () => {
  const others = ['', 'no JSON', '[]', 'null', '{"widget_type":"poll"}', '{"widget_type":"other","extra_data":{}}'];
  expect(others.map((content) => widgetOf([said(ANN, content)], ANN))).toEqual(others.map(() => undefined));
});
