import { projectionSpec } from '#testing';
import { dueIndexProjection } from './due-index.projection.js';
import { timersOf } from './timer-source.js';

type Set = { readonly type: 'alarm.set.v1'; readonly data: { readonly name: string; readonly dueAt: number } };
type Rung = { readonly type: 'alarm.rung.v1'; readonly data: { readonly name: string } };

const alarms = timersOf<Set | Rung>('alarm', {
  'alarm.set.v1': ({ data: { name, dueAt } }) => [{ subject: name, dueAt }],
  'alarm.rung.v1': ({ data: { name } }) => [{ subject: name, dueAt: undefined }],
});
/** Alarms have a second bell, an hour later. */
const bells = timersOf<Set>('bell', {
  'alarm.set.v1': ({ data: { name, dueAt } }) => [{ subject: name, dueAt: dueAt + 3600 }],
});
const { given } = projectionSpec(dueIndexProjection([alarms, bells]));

const set = (name: string, dueAt: number): Set => ({ type: 'alarm.set.v1', data: { name, dueAt } });
const rung = (name: string): Rung => ({ type: 'alarm.rung.v1', data: { name } });

test('an event sets a timer for each source that reads it', () => {
  given(set('a', 10))
    .thenKeys('alarm:a', 'bell:a')
    .thenDoc('alarm:a', { kind: 'alarm', subject: 'a', dueAt: 10, setBy: '1.organization@0' })
    .thenDoc('bell:a', { kind: 'bell', subject: 'a', dueAt: 3610, setBy: '1.organization@0' });
});
test('a later one moves it', () => {
  given(set('a', 10), set('a', 5)).thenDoc('alarm:a', {
    kind: 'alarm',
    subject: 'a',
    dueAt: 5,
    setBy: '1.organization@1',
  });
});
test('and another clears it, once or more often', () => {
  given(set('a', 10), set('b', 10), rung('a'), rung('a'), rung('c')).thenKeys('alarm:b', 'bell:a', 'bell:b');
});

test('an event is read once, however many timers it sets', () => {
  let reads = 0;
  const counted = timersOf<Set>('many', {
    'alarm.set.v1': ({ data: { dueAt } }) => {
      reads++;
      return Array.from({ length: 500 }, (_, index) => ({ subject: `${index}`, dueAt }));
    },
  });
  projectionSpec(dueIndexProjection([counted]))
    .given(set('a', 10))
    .thenDoc('many:499', { kind: 'many', subject: '499', dueAt: 10, setBy: '1.organization@0' });
  expect(reads).toBe(1);
});
