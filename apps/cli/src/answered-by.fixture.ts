import type { CommandCall } from './command.js';
import type { OperatorClient } from './operator-client.js';

/** Runs a command whose server has this answer, for specs. */
export async function answeredBy(
  answer: object,
  command: (call: CommandCall, server: OperatorClient) => Promise<number>,
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly lines: readonly string[] }> {
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
