import { badRequest, type Decider, type DomainEvent } from '#kernel';
import { specFor } from './decider-spec.js';

type Opened = DomainEvent<'door.opened.v1', { by: string }>;
type Command = { type: 'open'; by: string } | { type: 'peek' } | { type: 'break' };

const door: Decider<{ visitors: string[] }, Command, Opened> = {
  initial: () => ({ visitors: [] }),
  decide: (state, command) => {
    if (command.type === 'break') throw new TypeError('It broke.');
    if (command.type === 'peek') return [];
    if (state.visitors.includes(command.by)) throw badRequest('Already in.', { by: command.by });
    return [{ type: 'door.opened.v1', data: { by: command.by } }];
  },
  evolve: (state, event) => {
    state.visitors.push(event.data.by);
    return state;
  },
};
const given = specFor(door);
const annCame: Opened = { type: 'door.opened.v1', data: { by: 'ann' } };

test('right expectations pass', () => {
  given().when({ type: 'open', by: 'ann' }).then(annCame);
  given(annCame).when({ type: 'peek' }).thenNothing();
  const refusal = given(annCame).when({ type: 'open', by: 'ann' }).thenRefused('BAD_REQUEST', { by: 'ann' });
  expect(refusal.message).toBe('Already in.');
});

test.each([
  ['other events', () => given().when({ type: 'open', by: 'bob' }).then(annCame)],
  ['fewer events', () => given().when({ type: 'open', by: 'ann' }).thenNothing()],
  ['a refusal instead of events', () => given(annCame).when({ type: 'open', by: 'ann' }).then(annCame)],
  ['events instead of a refusal', () => given().when({ type: 'open', by: 'ann' }).thenRefused('BAD_REQUEST')],
  ['another code', () => given(annCame).when({ type: 'open', by: 'ann' }).thenRefused('NOT_FOUND')],
  ['other data', () => given(annCame).when({ type: 'open', by: 'ann' }).thenRefused('BAD_REQUEST', {})],
  ['an error that is no refusal', () => given().when({ type: 'break' }).thenRefused('BAD_REQUEST')],
])('%s fail', (_, run) => {
  expect(run).toThrow();
});

test('a decider that changes its state fails', () => {
  const leaking = specFor({
    ...door,
    decide: (state: { visitors: string[] }) => {
      state.visitors.push('?');
      return [];
    },
  });
  expect(() => leaking().when({ type: 'peek' })).toThrow(/changed the state/);
});

test('a decider that asks the world fails', () => {
  let asked = 0;
  const asking = specFor({
    ...door,
    decide: () => [{ type: 'door.opened.v1' as const, data: { by: String(asked++) } }],
  });
  expect(() => asking().when({ type: 'peek' })).toThrow(/two answers/);
});
