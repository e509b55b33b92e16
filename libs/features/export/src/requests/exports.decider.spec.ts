import { ROLE, SPECTATOR } from '#users/model';
import { Refusal } from '#kernel';
import { specFor } from '#testing';
import { decideExport, decideOutcome, EXPORTED_MESSAGES_MAX } from './exports.decider.js';
import type { Export } from '../model/exports.js';
import { exportRunDecider, LEASE_SECONDS, RUNS_MAX } from './export-run.decider.js';

const at = 10_000_000;
const DAY = 86_400;
const actor = { ...SPECTATOR, userId: 7, role: ROLE.administrator };
const made = (exportId: number, phase: Export['phase'], requestedAt = at): Export => {
  return { exportId, kind: 'public', by: 7, requestedAt, phase };
};
const organization = (exports: readonly Export[], lastMessageId = 10): Parameters<typeof decideExport>[0] => {
  return { exports, lastMessageId };
};
const request = { type: 'request-export', kind: 'consented', actor, at } as const;
const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
};

test('ids count up, also past what was deleted', () => {
  const [first] = decideExport(organization([]), request);
  expect(first).toEqual({ type: 'export.requested.v1', data: { exportId: 1, kind: 'consented', by: 7, at } });
  const [next] = decideExport(organization([made(1, 'deleted')]), request);
  expect(next?.data.exportId).toBe(2);
});

test('five a week, whatever became of them', () => {
  const five = (['pending', 'ready', 'failed', 'deleted', 'ready'] as const).map((phase, index) => made(index, phase));
  expect(refusalOf(() => decideExport(organization(five), request))).toBe('BAD_REQUEST: Exceeded rate limit.');
  const [old, ...recent] = five;
  const week = organization([{ ...old!, requestedAt: at - 7 * DAY }, ...recent]);
  expect(refusalOf(() => decideExport(week, request))).toBe('accepted');
});

test('not of an organization that is too large, and for administrators alone', () => {
  const large = organization([], EXPORTED_MESSAGES_MAX + 1);
  expect(refusalOf(() => decideExport(large, request))).toMatch(/^BAD_REQUEST: The organization is too large/);
  for (const asked of [request, { type: 'delete-export', exportId: 1, actor, at } as const])
    expect(
      refusalOf(() =>
        decideExport(organization([made(1, 'ready')]), { ...asked, actor: { ...actor, role: ROLE.moderator } }),
      ),
    ).toMatch(/^UNAUTHORIZED_PRINCIPAL/);
});

test.each([
  ['ready', 'accepted'],
  ['pending', 'BAD_REQUEST: Export still in progress'],
  ['failed', 'BAD_REQUEST: Export failed, nothing to delete'],
  ['deleted', 'BAD_REQUEST: Export already deleted'],
] as const)('deleting one that is %s: %s', (phase, answer) => {
  const asked = { type: 'delete-export', exportId: 1, actor, at } as const;
  expect(refusalOf(() => decideExport(organization([made(1, phase)]), asked))).toBe(answer);
  expect(refusalOf(() => decideExport(organization([]), asked))).toBe('BAD_REQUEST: Invalid data export ID');
});

test('an outcome counts once', () => {
  const finish = { type: 'finish', hash: 'h', bytes: 3 } as const;
  expect(decideOutcome([made(1, 'pending')], 1, finish, at)).toEqual([
    { type: 'export.finished.v1', data: { exportId: 1, hash: 'h', bytes: 3, at } },
  ]);
  expect(decideOutcome([made(1, 'pending')], 1, { type: 'fail' }, at)).toEqual([
    { type: 'export.failed.v1', data: { exportId: 1, at } },
  ]);
  for (const phase of ['ready', 'failed', 'deleted'] as const)
    expect(decideOutcome([made(1, phase)], 1, finish, at)).toEqual([]);
});

describe('one process is at it at a time', () => {
  const given = specFor(exportRunDecider);
  const running = (run: string, since = at) =>
    ({
      type: 'export.running.v1',
      data: { exportId: 1, run, done: 0, total: 0, until: since + LEASE_SECONDS, at: since },
    }) as const;
  const command = (type: 'begin' | 'go-on', run: string, now = at) =>
    ({ type, exportId: 1, run, done: 0, total: 0, at: now }) as const;

  test('the first one begins, and goes on', () => {
    given().when(command('begin', 'a')).then(running('a'));
    given(running('a'))
      .when(command('go-on', 'a', at + 5))
      .then(running('a', at + 5));
  });
  test('another one begins once the lease is over, and the first notices', () => {
    given(running('a'))
      .when(command('begin', 'b', at + LEASE_SECONDS - 1))
      .thenNothing();
    given(running('a'))
      .when(command('begin', 'b', at + LEASE_SECONDS))
      .then(running('b', at + LEASE_SECONDS));
    given(running('a'), running('b', at + LEASE_SECONDS))
      .when(command('go-on', 'a', at + 31))
      .thenNothing();
  });
  test('after so many it is given up', () => {
    const runs = Array.from({ length: RUNS_MAX }, (_, index) => running(String(index), at - (RUNS_MAX - index) * 60));
    given(...runs.slice(1))
      .when(command('begin', 'x'))
      .then(running('x'));
    given(...runs)
      .when(command('begin', 'x'))
      .then({ type: 'export.given-up.v1', data: { exportId: 1, at } });
  });
});
