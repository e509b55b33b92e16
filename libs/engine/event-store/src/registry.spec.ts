import { Type } from 'typebox';
import { EventRegistry, eventType, exactly, UnreadableEvent } from './registry.js';

const renamed = eventType('channel.renamed.v2', Type.Object({ channelId: Type.Integer(), name: Type.String() }));
const registry = new EventRegistry([renamed], {
  'channel.renamed.v1': ({ id, ...rest }) => ({ type: 'channel.renamed.v2', data: { channelId: id, ...rest } }),
});

test('data that fit their schema pass', () => {
  expect(() => registry.check('channel.renamed.v2', { channelId: 1, name: 'a' })).not.toThrow();
});

test('data that do not fit are refused with the place', () => {
  expect(() => registry.check('channel.renamed.v2', { channelId: 'x', name: 'a' })).toThrow(/channelId/);
});

test('undeclared fields are refused at any depth', () => {
  const place = exactly({ channelId: Type.Integer() });
  const registry = new EventRegistry([eventType('sent.v1', exactly({ place }))]);
  registry.check('sent.v1', { place: { channelId: 1 } });
  expect(() => registry.check('sent.v1', { place: { channelId: 1 }, key: 'x' })).toThrow(UnreadableEvent);
  expect(() => registry.check('sent.v1', { place: { channelId: 1, topic: 'x' } })).toThrow(UnreadableEvent);
});

test('an old version is lifted to the newest', () => {
  expect(registry.lift('channel.renamed.v1', { id: 3, name: 'a' })).toEqual({
    type: 'channel.renamed.v2',
    data: { channelId: 3, name: 'a' },
  });
});

test('an unknown type is never skipped', () => {
  expect(() => registry.lift('channel.melted.v1', {})).toThrow(UnreadableEvent);
  expect(() => registry.check('channel.melted.v1', {})).toThrow(UnreadableEvent);
});

test('a type is registered once', () => {
  expect(() => new EventRegistry([renamed, renamed])).toThrow(/twice/);
});
