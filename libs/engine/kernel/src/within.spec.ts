import { within } from './within.js';

const late = (): Error => new Error('late');

describe('work that has a limit', () => {
  test('gives its result or its own failure', async () => {
    expect(await within(60_000, () => Promise.resolve(1), late)).toBe(1);
    await expect(within(60_000, () => Promise.reject(new Error('its own')), late)).rejects.toThrow('its own');
  });

  test('is given up when it does not settle, and its later outcome is ignored', async () => {
    let fail: (error: Error) => void = () => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    await expect(within(1, () => work, late)).rejects.toThrow('late');
    fail(new Error('long after'));
    await new Promise((resolve) => setImmediate(resolve));
  });
});
