import type { ChildProcess } from 'node:child_process';

/** Ends a process when the tests are interrupted. */
export function endWithTests(child: ChildProcess): void {
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
}
