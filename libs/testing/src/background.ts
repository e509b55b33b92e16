import { BackgroundRunner, type BackgroundWork, type ReadSideGate } from '#read-store';
import { OpenGate } from './open-gate.js';

/** Runs work in the background until the runner is stopped. */
export function startedWith(
  work: BackgroundWork,
  onError: (error: unknown) => void = (error) => {
    throw error;
  },
): BackgroundRunner {
  const runner = new BackgroundRunner({ gate: new OpenGate(), onError: (_, error) => onError(error) });
  runner.start([work]);
  return runner;
}

/** One turn of work in the background. */
export async function turnOf(work: BackgroundWork, gate: ReadSideGate): Promise<void> {
  await new BackgroundRunner({ gate, onError: () => undefined }).turn(work);
}
