/** Subjects of commits, as lists of them show. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const SUBJECT_LENGTH_MAX = 72;
/** Those that can still be written anew. */
const NEWEST = 20;

const { status, stdout } = spawnSync('git', ['log', `-${NEWEST}`, '--no-merges', '--format=%s'], {
  cwd: resolve(__dirname, '../..'),
  encoding: 'utf8',
});
// Sources without their history have none.
const subjects = status === 0 ? stdout.trim().split('\n') : [];

test('say an area and what is done, in one line', () => {
  expect(subjects.filter((subject) => !/^[a-z-]+: [A-Z].*\.$/.test(subject))).toEqual([]);
  expect(subjects.filter((subject) => subject.length > SUBJECT_LENGTH_MAX)).toEqual([]);
});
