import { namesInNotice } from './bot-notices.js';

test('a notice has twenty names, and says how many more there are', () => {
  const names = Array.from({ length: 22 }, (_, index) => `n${index}`);
  expect(namesInNotice(names.slice(0, 2))).toBe('n0, n1');
  expect(namesInNotice(names.slice(0, 20))).toBe(names.slice(0, 20).join(', '));
  expect(namesInNotice(names)).toBe(`${names.slice(0, 20).join(', ')} and 2 more`);
});
