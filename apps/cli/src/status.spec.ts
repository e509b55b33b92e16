import { answeredBy } from './answered-by.fixture.js';
import { printStatus } from './status.js';

const projection = { name: 'messages', rebuildable: true, position: 9, lagEvents: 0, handled: 3, eventsPerSecond: 1.6 };
const LIVE = {
  state: 'live',
  position: 9,
  head: 9,
  lagMs: 0,
  waiting: 0,
  participants: [projection],
  rebuilds: [],
  work: [{ name: 'timers', isRunning: true, turns: 4, failures: 2, retryMaxMs: 500 }],
};
const FAILURE = { participant: 'drafts', type: 'draft.written.v1', position: 7, reason: 'TypeError: no list' };

const linesOf = async (answer: object): Promise<readonly string[]> =>
  (await answeredBy({ result: 'success', msg: '', ...LIVE, ...answer }, printStatus)).lines;

test('the status is a line, a table of projections, and one of the work in the background', async () => {
  expect(await linesOf({})).toEqual([
    'live at position 9 of 9, 0 ms behind; 0 requests wait',
    '',
    'PROJECTION  POSITION  BEHIND  EVENTS/S',
    'messages    9         0       2',
    '',
    'WORK    RUNNING  TURNS  FAILURES SINCE',
    'timers  yes      4      2',
  ]);
});

test('it says what stopped it, what is damaged, and how far a start is', async () => {
  const catchUp = { events: 4, position: 5, head: 9, elapsedMs: 7, eventsPerSecond: 812.4, secondsLeft: 75 };
  const logDamages = [{ position: 12, reason: 'its checksum does not fit its content' }];
  const stopped = { state: 'stopped', failure: FAILURE, catchUp, logDamages, logFailure: { reason: 'disk full' } };
  expect((await linesOf(stopped)).slice(0, 4)).toEqual([
    'stopped at position 9 of 9, 0 ms behind; 0 requests wait; 812 events/s, 1m 15s left',
    'stopped: drafts: draft.written.v1 at position 7: TypeError: no list',
    'the log fails: {"reason":"disk full"}',
    'Position 12: its checksum does not fit its content.',
  ]);
});

test('it says of a projection that it is set aside, is being rebuilt, or has a former build', async () => {
  const rebuild = { name: 'topics', events: 2, position: 5, head: 9, elapsedMs: 7, eventsPerSecond: 8, secondsLeft: 3 };
  const participants = [
    { ...projection, name: 'drafts', setAside: { ...FAILURE, throughPosition: 8 } },
    { ...projection, name: 'topics', former: { replacedAtMs: 0, keptUntilMs: 86_400_000, position: 9 } },
    { ...projection, name: 'flags' },
  ];
  const rebuilds = [rebuild, { ...rebuild, name: 'flags', failure: { reason: 'the disk is full' } }];
  const notes = (await linesOf({ participants, rebuilds })).slice(3, 6).map((line) => line.replace(/^.* 2 +/, ''));
  expect(notes).toEqual([
    'set aside: draft.written.v1 at position 7 to 8: TypeError: no list',
    'being rebuilt, at 5 of 9, 3s left; former build kept until 1970-01-02T00:00:00Z',
    'rebuild given up: the disk is full',
  ]);
});

test('programs get the whole answer in one line', async () => {
  const { code, lines } = await answeredBy({ result: 'success', msg: '', ...LIVE }, printStatus, 'json');
  expect(code).toBe(0);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([LIVE]);
});
