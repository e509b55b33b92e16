import { ReadStoreDamaged } from '#read-store';
import { MendReadModels } from './mend-read-models.js';

test('damage that a commit meets while the files are verified first is mended after it', async () => {
  const files = {
    onDamage: (_: ReadStoreDamaged): void => undefined,
    verify: async () => files.onDamage(new ReadStoreDamaged('x is damaged', {}, 'messages')),
    markDamaged: () => undefined,
  };
  const [mended, told]: [string[], unknown[]] = [[], []];
  const engine = {
    mend: async (collection: string) => mended.push(collection) > 0,
    status: () => ({ state: 'running', rebuilds: [] }) as never,
  };
  const mending = new MendReadModels({ files }, engine, { error: (line: unknown) => told.push(line) } as never, () => {
    throw new Error('Nothing has to be started anew.');
  });
  await mending.start();
  expect({ mended, told: told.length }).toEqual({ mended: ['messages'], told: 1 });
  mending.stop();
});
