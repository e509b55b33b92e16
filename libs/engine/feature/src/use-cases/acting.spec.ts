import { Command } from '@nestjs/cqrs';
import { CommandRunner, type EventStore, type NewEvent, type ReadBarrier, streams } from '#event-store';
import type { FollowUps } from '#follow-ups';
import { actingIn, NO_SPANS, type Origin } from '#kernel';
import type { Directory } from '#people';
import { ManualClock } from '#testing';
import { Decisions, inStream } from './decision.js';
import { command, type UseCase } from './use-case.js';

const decider = { initial: () => 0, decide: () => [{ type: 'x.done.v1', data: {} }], evolve: () => 0 };
const decision = inStream(decider, `${streams.prefix}x`, () => ({}));

let appended: NewEvent[];
let decisions: Decisions;

beforeEach(() => {
  appended = [];
  const store = {
    readStream: () => Promise.resolve([]),
    append: (_: string, __: unknown, events: readonly NewEvent[]) => {
      appended.push(...events);
      return Promise.resolve({ position: 1, firstRevision: 0, lastRevision: 0 });
    },
  };
  const barrier = { assertAccepting: () => undefined, waitFor: () => Promise.resolve() };
  const runner = new CommandRunner(store as unknown as EventStore, barrier as unknown as ReadBarrier);
  const followUps = { carryOut: () => Promise.resolve() } as unknown as FollowUps;
  decisions = new Decisions({
    runner,
    followUps,
    clock: new ManualClock(),
    directory: undefined as unknown as Directory,
  });
});

/** Executes a command as Nest's bus does. */
async function execute(asked: Command<unknown>, { handler }: UseCase): Promise<unknown> {
  const made = handler.useFactory(decisions, NO_SPANS) as { execute(asked: unknown): Promise<unknown> };
  return made.execute(asked);
}

class ByActor extends Command<void> {
  constructor(readonly actor: { readonly userId: number }) {
    super();
  }
}
class ByOrigin extends Command<void> {
  constructor(readonly origin: Origin) {
    super();
  }
}
class ByAsked extends Command<void> {
  constructor(readonly asked: { readonly actor: { readonly userId: number } }) {
    super();
  }
}
class ByNobody extends Command<void> {}

test('what a command records is by its actor, in the request that the actor comes from', async () => {
  const visit = { client: 'website', requests: 'ab12' };
  const actor = actingIn({ userId: 7 }, { number: '9c4', visit: () => visit });
  await execute(
    new ByActor(actor),
    command(ByActor, {}, () => decision),
  );
  expect(appended.map(({ type, metadata }) => [type, metadata])).toEqual([
    ['visit.began.v1', { o: 's' }],
    ['x.done.v1', { o: '7.1.9c4' }],
  ]);
});

test('or by what it says where nobody is signed in', async () => {
  await execute(
    new ByOrigin({ by: { kind: 'visitor' } }),
    command(ByOrigin, {}, () => decision),
  );
  await execute(
    new ByAsked({ actor: { userId: 8 } }),
    command(ByAsked, {}, () => decision),
  );
  expect(appended.map(({ metadata }) => metadata)).toEqual([{ o: 'v' }, { o: '8' }]);
});

test('a command that does not say who acts is no use case, and records nothing', async () => {
  // @ts-expect-error -- it names nobody
  const useCase = command(ByNobody, {}, () => decision);
  await expect(execute(new ByNobody(), useCase)).rejects.toThrow();
  // @ts-expect-error -- a decision is carried through by somebody
  await expect(decisions.carryThrough(decision)).rejects.toThrow();
  expect(appended).toEqual([]);
});
