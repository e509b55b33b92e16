import { diffProjection } from './rebuild.js';
import type { OperatorClient } from './operator-client.js';

/** Compares by a server with this answer. */
async function diff(answer: object): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
  const lines: string[] = [];
  const terminal = {
    environment: {},
    print: (line: string) => void lines.push(line),
    tell: () => undefined,
    onInterrupt: () => undefined,
  };
  const call = { terminal, args: ['messages'], dataDir: '', option: () => undefined, has: () => false };
  const server = { call: async () => answer } as unknown as OperatorClient;
  return { code: await diffProjection(call, server), lines };
}

test('a comparison says by its exit code whether both are equal, and names the first key', async () => {
  expect(await diff({ position: 7, documents: 3 })).toEqual({
    code: 0,
    lines: ['messages is equal at position 7: 3 documents.'],
  });
  expect(await diff({ position: 7, documents: 3, difference: { key: 'c:1', is: 'missing' } })).toEqual({
    code: 1,
    lines: ['messages differs at position 7, first at key "c:1": missing.'],
  });
});
