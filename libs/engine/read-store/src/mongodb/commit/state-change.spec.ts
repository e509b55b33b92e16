import fc from 'fast-check';
import type { SavedCheckpoint } from '../../read-store.js';
import { changed, changeOf } from './state-change.js';
import { EMPTY_STATE } from './store-state.js';
import type { StoreState } from './store-state.js';

const checkpoints = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.nat(3).map((position): SavedCheckpoint => ({ checkpoint: `c${position}`, position })),
);
const before: fc.Arbitrary<StoreState> = fc
  .record({ number: fc.nat(9), passed: fc.nat(9), checkpoints })
  .map((some) => ({ ...EMPTY_STATE, ...some, writer: 'me' }));

test('a change makes of the state before what the commit made of it', () => {
  fc.assert(
    fc.property(before, fc.nat(9), checkpoints, fc.boolean(), (state, passed, reached, isSwap) => {
      const next = {
        ...state,
        passed,
        checkpoints: { ...state.checkpoints, ...reached },
        ...(isSwap && { revision: state.revision + 1, collections: { a: { physical: 'a@1.1', schema: 's', top: 0 } } }),
      };
      expect(changed(state, 10, changeOf(state, next))).toEqual({ ...next, number: 10 });
    }),
  );
});

test('a change of all checkpoints names none', () => {
  const at = { checkpoint: 'five', position: 5 };
  const state = { ...EMPTY_STATE, checkpoints: { a: { checkpoint: 'four', position: 4 }, b: at } };
  const next = { ...state, passed: 6, checkpoints: { a: { ...at, position: 6 }, b: { ...at, position: 6 } } };
  expect(changeOf(state, next)).toEqual({ passed: 6, reached: [{ at: { checkpoint: 'five', position: 6 } }] });
});

test('a change of all checkpoints before it leaves one that is new as it is', () => {
  const at = { checkpoint: 'five', position: 5 };
  const first = { checkpoint: 'one', position: 1 };
  const state = { ...EMPTY_STATE, checkpoints: { a: first, b: first } };
  const next = { ...state, checkpoints: { c: first, a: at, b: at } };
  expect(changed(state, 1, changeOf(state, next)).checkpoints).toEqual(next.checkpoints);
});
