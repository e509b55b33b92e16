/** Words of polls and to-do lists, which load with the first of them. Like `en.ts`, of which they are a part. */
import { en } from './en.js';

const number = new Intl.NumberFormat('en');
const list = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' });

export const widgetWords = {
  ...en,
  poll: 'Poll',
  todo: 'To do',
  changeQuestion: 'Change the question',
  changeTitle: 'Change the title',
  newOption: 'Another option',
  newTask: 'Another task',
  add: 'Add',
  voteFor: (option: string, votes: number) =>
    `Vote for “${option}”, ${number.format(votes)} ${votes === 1 ? 'vote' : 'votes'}`,
  /** In the past. */
  asSent: {
    poll: 'As it was sent. Votes, and options that others have added, are not shown in the past.',
    todo: 'As it was sent. What was done, and tasks that others have added, are not shown in the past.',
    choices: 'Nothing can be chosen in the past.',
  },
  names: (names: readonly string[]) => list.format(names),
};
