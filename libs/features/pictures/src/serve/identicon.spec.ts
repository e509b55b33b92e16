import { createHash } from 'node:crypto';
import { identifyImage, squareImage } from '#images';
import { drawIdenticon } from './identicon.js';

const seed = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

test.each([100, 500, 64, 33])('a drawing of %i pixels is a PNG that can be decoded', async (side) => {
  const bytes = drawIdenticon(seed('ann'), side);
  expect(await identifyImage(bytes)).toMatchObject({ format: 'png', width: side, height: side });
  expect(await squareImage(bytes, 50)).toMatchObject({ width: 50, height: 50 });
});

test('the same seed gives the same drawing, and others give others', () => {
  expect(drawIdenticon(seed('ann'), 100)).toEqual(drawIdenticon(seed('ann'), 100));
  const drawn = new Set(
    Array.from({ length: 100 }, (_, index) => drawIdenticon(seed(`${index}`), 100).toString('hex')),
  );
  expect(drawn.size).toBe(100);
});
