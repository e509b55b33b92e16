/** The order of names in the lists of the chat page. */
import { byName } from '../../web/shared/order.js';

test('names are in the order of the alphabet, and their numbers in that of their values', () => {
  const names = ['team 100', 'team 10', 'Ärger', 'team 2', 'Zoo', 'apple', 'team 1'];
  expect(names.sort(byName)).toEqual(['apple', 'Ärger', 'team 1', 'team 2', 'team 10', 'team 100', 'Zoo']);
});
