import { Store } from './store.js';

test('a listener that fails keeps no other from hearing', async () => {
  const errors: unknown[] = [];
  const tasks = jest.spyOn(globalThis, 'queueMicrotask').mockImplementation((work) => {
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => errors.push(error));
  });
  const store = new Store(0);
  const heard: number[] = [];
  store.subscribe(() => {
    throw new Error('A fault of a view.');
  });
  store.subscribe(() => heard.push(store.get()));
  store.set(1);
  store.set(2);
  await new Promise(setImmediate);
  expect(heard).toEqual([2]);
  expect(errors).toEqual([new Error('A fault of a view.')]);
  tasks.mockRestore();
});
