import { withCauses } from './with-causes.js';

test('an error comes before its causes, up to one that is no error', () => {
  const reset = new Error('reset', { cause: 'a text' });
  const away = new TypeError('away', { cause: reset });
  expect(withCauses(away)).toEqual([away, reset]);
  expect(withCauses('a text')).toEqual([]);
});

test('causes that lead back to their error come to an end', () => {
  const away = new Error('away');
  away.cause = new Error('reset', { cause: away });
  expect(withCauses(away).length).toBeLessThan(20);
});
