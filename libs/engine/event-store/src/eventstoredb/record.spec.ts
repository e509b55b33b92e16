import { randomUUID } from 'node:crypto';
import { contractRegistry } from '../contract/log.contract.js';
import { DamagedRecord, EventStoreUnavailable } from '../event-store.js';
import type { DriverRecord } from './driver.js';
import { checkpointOf, positionOf, resumePoint, toRecorded } from './record.js';

function recordAt(commit: bigint, prepare: bigint): DriverRecord {
  return {
    streamId: '1.a',
    id: randomUUID(),
    revision: 3n,
    type: 'note.taken.v2',
    data: { text: 'x' },
    metadata: undefined,
    isJson: true,
    created: new Date(5),
    position: { commit, prepare },
  };
}

test('a position stays exact when client events count on from it', () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER) / 1024n;
  const position = positionOf({ commit: largest, prepare: 0n });
  expect(BigInt(position * 1024)).toBe(largest * 1024n);
  expect(() => positionOf({ commit: largest + 1n, prepare: 0n })).toThrow(EventStoreUnavailable);
});

test.each([
  [733n, 733n],
  [884n, 733n],
])('a checkpoint holds both halves: %s/%s', (commit, prepare) => {
  const record = recordAt(commit, prepare);
  const recorded = toRecorded(record, '', contractRegistry);
  expect(recorded).toMatchObject({ position: Number(commit), revision: 3, recordedAtMs: 5, metadata: {} });
  expect(resumePoint(checkpointOf(recorded))).toEqual({ at: { commit, prepare }, id: record.id });
});

test.each(['', '17', '17@x', `17@${randomUUID()}`, `-1/-1@${randomUUID()}`])('%j is no checkpoint of ours', (text) => {
  expect(() => resumePoint(text)).toThrow(DamagedRecord);
});
