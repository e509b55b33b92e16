import { projectionSpec } from '#testing';
import { openFollowUpsProjection } from './open-follow-ups.projection.js';

const { given } = projectionSpec(openFollowUpsProjection(['door.opened.v1']));

const opened = (data: object) => ({ type: 'door.opened.v1', stream: 'house', data, recordedAtMs: 5_999 });
const done = (cause: string) => ({ type: 'follow-up.done.v1', data: { cause } });

test('what entails something is open until it is done', () => {
  const entry = { type: 'door.opened.v1', stream: 'house', revision: 1, position: 2, since: 5 };
  const facts = [opened({}), opened({ entails: 'closing' }), opened({ entails: { bell: true } })];
  given(...facts)
    .thenKeys('house@1', 'house@2')
    .thenDoc('house@1', entry);
  given(...facts, done('house@2')).thenKeys('house@1');
  given(...facts, done('house@2'), done('house@1'), done('house@1')).thenKeys();
});
