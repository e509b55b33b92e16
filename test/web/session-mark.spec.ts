/** By which cookie the chat page tells sessions apart. */
const { sessionMark } = jest.requireActual<{ sessionMark: () => string }>('../../web/chat/model/session-mark.js');

afterEach(() => {
  for (const name of ['document', 'location']) Reflect.deleteProperty(globalThis, name);
});

test.each([
  ['http:', 'a=b; sessionmark=one', 'one'],
  ['https:', 'sessionmark=of-another-host; __Host-sessionmark=one', 'one'],
  ['https:', 'sessionmark=of-another-host', ''],
  ['http:', '', ''],
])('over %s, of the cookies "%s" it is "%s"', (protocol, cookie, mark) => {
  Object.assign(globalThis, { document: { cookie }, location: { protocol } });
  expect(sessionMark()).toBe(mark);
});
