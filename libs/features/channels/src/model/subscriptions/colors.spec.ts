import { UserColors } from './colors.js';

/** Colours that the user gets for channels 1 to `count`. */
const picked = (colors: UserColors, count: number): string[] =>
  Array.from({ length: count }, (_, index) => colors.pick(index + 1));

test('the first subscriptions have different colours, and further ones a colour by their channel', () => {
  const first = picked(new UserColors(), 24);
  expect(new Set(first).size).toBe(24);
  const colors = new UserColors();
  picked(colors, 24);
  expect(colors.pick(25)).toBe(colors.pick(1));
  expect(colors.pick(25)).toBe(first[1]);
});

test('colours that the user has already are left out, also those of the same request', () => {
  const [a, b, c] = picked(new UserColors(), 3);
  const colors = new UserColors([{ color: a! }, { color: '#000000' }, { color: c! }]);
  expect(colors.pick(9, '#123456')).toBe('#123456');
  expect(colors.pick(9)).toBe(b);
  expect([a, b, c]).not.toContain(colors.pick(9));
  const wishing = new UserColors();
  expect(wishing.pick(9, a)).toBe(a);
  expect(wishing.pick(9)).toBe(b);
});

test('subscriptions beyond those that use all colours are not looked at', () => {
  let seen = 0;
  function* subscriptions() {
    for (const color of picked(new UserColors(), 24)) {
      seen++;
      yield { color };
    }
    for (;;) {
      seen++;
      yield { color: '#000000' };
    }
  }
  expect(new UserColors(subscriptions()).pick(3)).toMatch(/^#/);
  expect(seen).toBe(24);
});
