import type { CollectionSchema, Commit } from '../../read-store.js';
import { planCommit } from './commit-plan.js';
import { EMPTY_STATE } from './store-state.js';
import type { StoreState } from './store-state.js';

const notes = { name: 'notes', key: 'integer', fields: { channel: 'integer' }, indexes: [] } as const;
const schemas = new Map<string, CollectionSchema>([
  ['notes', notes],
  ['notes~4', notes],
]);
const state: StoreState = {
  ...EMPTY_STATE,
  number: 7,
  passed: 9,
  checkpoints: { notes: { checkpoint: 'nine', position: 9 }, other: { checkpoint: 'x', position: 3 } },
  collections: {
    notes: { physical: 'notes@1.1', schema: 's', top: 9 },
    'notes~4': { physical: 'notes@1.4', schema: 's', top: 2 },
  },
};
const plan = (commit: Partial<Commit> & Pick<Commit, 'position'>): ReturnType<typeof planCommit> =>
  planCommit(state, schemas, { writes: [], ...commit }, 1000);

describe('the plan of a commit', () => {
  test('has one operation for each document, the last, and remembers that it is new', () => {
    const { groups } = plan({
      position: 10,
      writes: [
        { collection: 'notes', key: 1, doc: { channel: 1 }, fresh: true },
        { collection: 'notes', key: 1, doc: { channel: 2 } },
        { collection: 'notes', key: 2, doc: {} },
        { collection: 'notes', key: 2, doc: undefined },
        { collection: 'notes~4', key: 1, doc: {} },
      ],
    });
    expect(groups).toEqual([
      {
        physical: 'notes@1.1',
        operations: [
          { k: 1, f: true, d: { channel: 2 } },
          { k: 2, gone: 1000 },
        ],
      },
      { physical: 'notes@1.4', operations: [{ k: 1, d: {} }] },
    ]);
  });

  test('carries checkpoints and what has been passed into the next state', () => {
    const checkpoints = { notes: { checkpoint: 'ten', position: 10 } };
    expect(plan({ position: 10, checkpoints, passed: 10 }).next).toEqual({
      ...state,
      passed: 10,
      checkpoints: { ...state.checkpoints, ...checkpoints },
    });
    expect(plan({ position: 10 }).next).toEqual(state);
  });

  test('prunes where the collection is now', () => {
    expect(plan({ position: 10, prunes: [{ collection: 'notes', below: 5 }] }).prunes).toEqual([
      { physical: 'notes@1.1', below: 5 },
    ]);
    expect(() => plan({ position: 10, prunes: [{ collection: 'notes', below: 'x' }] })).toThrow(TypeError);
    expect(() => plan({ position: 10, prunes: [{ collection: 'nowhere', below: 5 }] })).toThrow('nowhere');
  });
});
