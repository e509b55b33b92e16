import { setTimeout as pause } from 'node:timers/promises';
import { Repetition } from './repetition.js';

/** Turns that end when they are told to. */
class Turns {
  begun = 0;
  #end: () => void = () => undefined;

  readonly work = (): Promise<void> => {
    this.begun++;
    return new Promise((resolve) => (this.#end = resolve));
  };

  end(): void {
    this.#end();
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(1);
}

const noError = (error: unknown): never => {
  throw error;
};

test('repeats its work, one turn at a time', async () => {
  const turns = new Turns();
  const repetition = new Repetition(turns.work, 1);
  repetition.start(noError);
  await until(() => turns.begun === 1);
  await pause(20);
  expect(turns.begun).toBe(1);
  turns.end();
  await until(() => turns.begun === 2);
  turns.end();
  await repetition.stop();
});

test('begins at once when its work is due', async () => {
  const turns = new Turns();
  const repetition = new Repetition(turns.work, 60_000);
  repetition.start(noError, { isDue: true });
  expect(turns.begun).toBe(1);
  turns.end();
  await repetition.stop();
});

test('stops after the turn in progress', async () => {
  const turns = new Turns();
  const repetition = new Repetition(turns.work, 1);
  repetition.start(noError, { isDue: true });
  let isStopped = false;
  const stopped = repetition.stop().then(() => (isStopped = true));
  await pause(20);
  expect(isStopped).toBe(false);
  turns.end();
  await stopped;
  await pause(20);
  expect(turns.begun).toBe(1);
});

test('goes on after a failure, and tells it', async () => {
  const errors: unknown[] = [];
  const failure = new Error('not now');
  const repetition = new Repetition(() => Promise.reject(failure), 1);
  repetition.start((error) => errors.push(error));
  await until(() => errors.length >= 2);
  await repetition.stop();
  expect(errors[0]).toBe(failure);
});

test('need not have been started to be stopped', async () => {
  await new Repetition(() => Promise.resolve(), 1).stop();
});

test('goes on, and can be stopped, when the failure cannot be told', async () => {
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  let turns = 0;
  const repetition = new Repetition(async () => {
    turns++;
    throw new Error('not now');
  }, 1);
  repetition.start(noError);
  await until(() => turns >= 2);
  await repetition.stop();
  expect(warned).toHaveBeenCalledWith('An error could not be told: not now');
});
