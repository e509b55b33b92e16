import { covers, showsContents } from './scope.js';

const message = (id: string, more: Record<string, string> = {}) => ({
  question: 'messages',
  parameters: { message_id: id, ...more },
});
const file = (parameters: Record<string, string>) => ({ question: 'export/files', parameters });
const exported = (parameters: Record<string, string>) => ({ question: 'export', parameters });

test.each([
  ['the same question', message('7'), message('7'), true],
  ['another message', message('7'), message('8'), false],
  ['an earlier moment', message('7'), message('7', { as_of: '@12' }), false],
  ['no moment', message('7', { as_of: '@12' }), message('7'), false],
  ['another question', message('7'), { question: 'topic', parameters: { message_id: '7' } }, false],
  ['the rest of an export', exported({ channel: 'hall' }), exported({ channel: 'hall', after_message: '9' }), true],
  ['what is new', exported({ channel: 'hall' }), exported({ channel: 'hall', since: '1.message-7@2' }), true],
  ['an export up to then', exported({ channel: 'hall' }), exported({ channel: 'hall', as_of: '@12' }), true],
  ['an export up to now', exported({ as_of: '@12' }), exported({}), false],
  ['an export up to later', exported({ as_of: '@12' }), exported({ as_of: '@13' }), false],
  ['more than the rest', exported({ after_message: '9' }), exported({}), false],
  ['a longer rest', exported({ after_message: '9' }), exported({ after_message: '8' }), false],
  ['a shorter rest', exported({ after_message: '9' }), exported({ after_message: '10' }), true],
  ['more than what is new', exported({ since: '1.message-7@2' }), exported({}), false],
  ['what is new since earlier', exported({ since: '1.message-7@2' }), exported({ since: '1.message-7@1' }), false],
  [
    'the rest of it',
    exported({ since: '1.message-7@2' }),
    exported({ since: '1.message-7@2', after_message: '9' }),
    true,
  ],
  ['a larger export', exported({ channel: 'hall' }), exported({}), false],
  ['a file by any message', file({ file_id: '7' }), file({ file_id: '7', message_id: '9' }), true],
  ['another file', file({ file_id: '7' }), file({ file_id: '8' }), false],
  ['another channel', exported({ channel: 'hall' }), exported({ channel: 'attic' }), false],
  ['a name of each object', exported({ __defineGetter__: 'x' }), exported({}), false],
  ['a name of each object', exported({ hasOwnProperty: 'since' }), exported({}), false],
])('who may ask something may ask %s: %#', (_, approved, asked, expected) => {
  expect(covers(approved, asked)).toBe(expected);
});

test('a question of which nothing is known shows contents', () => {
  expect(['messages', 'topic', 'acts', 'search', 'export', 'export/files', 'anything'].every(showsContents)).toBe(true);
  expect(['audits', 'permissions', 'setting'].some(showsContents)).toBe(false);
});
