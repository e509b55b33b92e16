import { cancelRebuilds, diffProjection } from './rebuild.js';
import type { OperatorClient } from './operator-client.js';

type Ran = { readonly code: number; readonly lines: readonly string[] };

const diff = (answer: object): Promise<Ran> => ranWith(answer, diffProjection);

/** Runs a command with a server that has this answer. */
async function ranWith(answer: object, command: typeof diffProjection, ...options: readonly string[]): Promise<Ran> {
  const lines: string[] = [];
  const terminal = {
    environment: {},
    print: (line: string) => void lines.push(line),
    tell: () => undefined,
    onInterrupt: () => undefined,
  };
  const call = {
    terminal,
    args: ['messages'],
    dataDir: '',
    option: () => undefined,
    has: (name: string) => options.includes(name),
  };
  const server = { call: async () => answer } as unknown as OperatorClient;
  return { code: await command(call, server), lines };
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

test('rebuilds that were ended are named, a line for each', async () => {
  const answer = { cancelled: ['messages', 'drafts'] };
  expect(await ranWith(answer, cancelRebuilds)).toEqual({ code: 0, lines: ['CANCELLED', 'messages', 'drafts'] });
  expect(await ranWith(answer, cancelRebuilds, 'json')).toEqual({
    code: 0,
    lines: ['{"name":"messages"}', '{"name":"drafts"}'],
  });
});
