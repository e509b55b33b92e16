import { answeredBy } from './answered-by.fixture.js';
import { cancelRebuilds, diffProjection } from './rebuild.js';

test('a comparison says by its exit code whether both are equal, and names the first key', async () => {
  expect(await answeredBy({ position: 7, documents: 3 }, diffProjection)).toEqual({
    code: 0,
    lines: ['messages is equal at position 7: 3 documents.'],
  });
  const different = { position: 7, documents: 3, difference: { key: 'c:1', is: 'missing' } };
  expect(await answeredBy(different, diffProjection)).toEqual({
    code: 1,
    lines: ['messages differs at position 7, first at key "c:1": missing.'],
  });
});

test('rebuilds that were ended are named, a line for each', async () => {
  const answer = { cancelled: ['messages', 'drafts'] };
  expect(await answeredBy(answer, cancelRebuilds)).toEqual({ code: 0, lines: ['CANCELLED', 'messages', 'drafts'] });
  expect(await answeredBy(answer, cancelRebuilds, 'json')).toEqual({
    code: 0,
    lines: ['{"name":"messages"}', '{"name":"drafts"}'],
  });
});
