import { actingIn, BY_OPERATOR, BY_SERVER, causedBy, knownAs, type Origin, originFrom, type Visit } from '#kernel';
import type { NewEvent } from '../event-store.js';
import { originOf, originTextIn } from './event-origin.js';
import { originText, parseOrigin, withOrigin } from './origin-text.js';
import { visitOf, Visits } from './visits.js';

const VISIT: Visit = { client: 'website', session: 'k1', address: '192.0.2.0', requests: 'ab12' };
const request = { number: '9c4', visit: () => VISIT };
const ann = { userId: 7, botType: null };

const cases: [string, Origin, number | undefined, string, object][] = [
  ['a user', originFrom(ann), undefined, '7', { by: { kind: 'user', userId: 7 } }],
  [
    'a user in a request',
    originFrom(actingIn(ann, request)),
    95,
    '7.2n.9c4',
    { by: { kind: 'user', userId: 7 }, visit: 95, request: '9c4' },
  ],
  ['a bot', originFrom({ userId: 12, botType: 1 }), undefined, 'b12', { by: { kind: 'bot', userId: 12 } }],
  [
    'a visitor',
    { by: { kind: 'visitor' }, request },
    1,
    'v.1.9c4',
    { by: { kind: 'visitor' }, visit: 1, request: '9c4' },
  ],
  ['the server', BY_SERVER, undefined, 's', { by: { kind: 'server' } }],
  ['the operator', BY_OPERATOR, undefined, 'o', { by: { kind: 'operator' } }],
  [
    'the server because of an event',
    causedBy({ stream: '1.message-5', revision: 3 }),
    undefined,
    's~message-5@3',
    { by: { kind: 'server' }, cause: '1.message-5@3' },
  ],
];

test.each(cases)('%s is a short text, and is read back', (_, origin, visit, text, read) => {
  expect(originText(origin, visit)).toBe(text);
  expect(parseOrigin(text)).toEqual(read);
});

test.each(['', 'x', '7.', '7.2n', '7.2n.', '~', 7, undefined, null, '7.2N.9c4'])('%p is no origin', (text) => {
  expect(parseOrigin(text)).toBeUndefined();
});

test('who proves who they are in a request acts in it', () => {
  expect(knownAs(ann, { by: { kind: 'visitor' }, request })).toEqual({ by: { kind: 'user', userId: 7 }, request });
});

describe('the origin of an event', () => {
  const event = (type: string, data: object, metadata = {}) => ({ type, data, metadata });

  test('is in its metadata', () => {
    const { metadata = {} } = withOrigin({ id: '', type: 'x', data: {}, metadata: { more: 1 } }, BY_SERVER);
    expect(metadata).toEqual({ more: 1, o: 's' });
    expect(originOf(event('message.sent.v1', { senderId: 3 }, metadata))).toEqual({ by: { kind: 'server' } });
  });

  test.each([
    ['message.sent.v1', { senderId: 3 }, { kind: 'user', userId: 3 }],
    ['channel.changed.v1', { by: 4 }, { kind: 'user', userId: 4 }],
    ['channel.subscribed.v1', { by: null }, { kind: 'server' }],
    ['mail.sent.v1', { mailId: 'a' }, { kind: 'server' }],
    ['user.created.v1', { userId: 9 }, { kind: 'unknown' }],
    ['organization.created.v1', {}, { kind: 'operator' }],
  ])('is taken from the data of an older event: %s', (type, data, by) => {
    expect(originOf(event(type, data))).toEqual({ by });
  });

  test('leaves out a user whom the data name', () => {
    const sent = { senderId: 7 };
    expect(originTextIn('message.sent.v1', sent, '7.2n.9c4')).toBe('.2n.9c4');
    expect(originTextIn('message.sent.v1', { senderId: 8 }, '7.2n.9c4')).toBe('7.2n.9c4');
    expect(originTextIn('message.sent.v1', { senderId: 12 }, 'b12.2n.9c4')).toBe('b12.2n.9c4');
    expect(originTextIn('user.created.v1', { userId: 7 }, '7.2n.9c4')).toBe('7.2n.9c4');
    expect(originTextIn('message.sent.v1', sent, '7')).toBe('7');
    const by = { kind: 'user', userId: 7 };
    expect(originOf(event('message.sent.v1', sent, { o: '.2n.9c4' }))).toEqual({ by, visit: 95, request: '9c4' });
    expect(parseOrigin('.2n.9c4')).toBeUndefined();
  });

  test('of a visitor who is known by a link is that user, in the request', () => {
    const changed = event('user.changed.v1', { userId: 5, by: 5 }, { o: 'v.1.9c4' });
    expect(originOf(changed)).toEqual({ by: { kind: 'user', userId: 5 }, visit: 1, request: '9c4' });
  });
});

describe('visits', () => {
  let appended: NewEvent[];
  const store = {
    append: (_stream: string, _expected: unknown, events: readonly NewEvent[]) => {
      appended.push(...events);
      const revision = appended.length - 1;
      return Promise.resolve({ position: revision + 1, firstRevision: revision, lastRevision: revision });
    },
  };
  beforeEach(() => (appended = []));

  test('are recorded once, however many requests begin one at the same time', async () => {
    const visits = new Visits(store);
    expect(await Promise.all([visits.numberOf(VISIT), visits.numberOf({ ...VISIT })])).toEqual([1, 1]);
    expect(visits.numberOf(VISIT)).toBe(1);
    expect(await visits.numberOf({ ...VISIT, session: 'k2' })).toBe(2);
    expect(appended.map(({ data }) => data)).toEqual([VISIT, { ...VISIT, session: 'k2' }]);
  });

  test('that could not be recorded are tried again', async () => {
    let isDown = true;
    const visits = new Visits({
      append: (stream, expected, events) => {
        return isDown ? Promise.reject(new Error('down')) : store.append(stream, expected, events);
      },
    });
    await expect(visits.numberOf(VISIT)).rejects.toThrow('down');
    isDown = false;
    expect(await visits.numberOf(VISIT)).toBe(1);
  });

  test('are read by their number', async () => {
    const readStream = jest.fn(() => Promise.resolve([{ data: VISIT } as never]));
    expect(await visitOf({ readStream }, 3)).toEqual(VISIT);
    expect(readStream).toHaveBeenCalledWith('1.visits', { from: 2, limit: 1 });
  });
});
