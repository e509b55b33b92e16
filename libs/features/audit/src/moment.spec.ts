import { readMoment, readTime } from './moment.js';

const secondsOf = (text: string): number => Date.parse(text) / 1000;

test.each<[string, object]>([
  ['1790000000', { kind: 'time', seconds: 1_790_000_000 }],
  ['@12', { kind: 'position', position: 12 }],
  ['2026-02-28', { kind: 'time', seconds: secondsOf('2026-02-28T00:00:00Z') }],
  ['2028-02-29 14:05', { kind: 'time', seconds: secondsOf('2028-02-29T14:05:00Z') }],
  ['2026-01-31T23:30+02:00', { kind: 'time', seconds: secondsOf('2026-01-31T21:30:00Z') }],
])('%s is a moment', (text, moment) => {
  expect(readMoment(text)).toEqual(moment);
});

test.each([
  '2026-02-29',
  '2026-02-31',
  '2026-02-30T10:00Z',
  '2026-04-31 10:00',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
])('a day that there is not is refused: %s', (text) => {
  const refusal = expect.objectContaining({ code: 'BAD_REQUEST' });
  expect(() => readMoment(text)).toThrow(refusal);
  expect(() => readTime('after', text)).toThrow(refusal);
});
