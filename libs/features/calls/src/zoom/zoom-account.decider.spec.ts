import { specFor } from '#testing';
import { zoomAccountDecider } from './zoom-account.decider.js';
import type { ZoomAccountEvent } from './zoom-account.events.js';

const given = specFor(zoomAccountDecider);
const by = { userId: 7, at: 1000 } as const;
const connected = (tokens: string): ZoomAccountEvent => ({
  type: 'zoom-account.connected.v1',
  data: { tokens, ...by },
});
const refreshed = (tokens: string): ZoomAccountEvent => ({
  type: 'zoom-account.refreshed.v1',
  data: { tokens, ...by },
});
const disconnected: ZoomAccountEvent = { type: 'zoom-account.disconnected.v1', data: by };

test('an account is connected, also again', () => {
  given()
    .when({ type: 'connect', tokens: 'a', ...by })
    .then(connected('a'));
  given(connected('a'))
    .when({ type: 'connect', tokens: 'b', ...by })
    .then(connected('b'));
});

test('tokens are refreshed unless others have come meanwhile', () => {
  const refresh = { type: 'refresh', before: 'a', tokens: 'b', ...by } as const;
  given(connected('a')).when(refresh).then(refreshed('b'));
  given(connected('a'), refreshed('c')).when(refresh).thenNothing();
  given(connected('a'), disconnected).when(refresh).thenNothing();
});

test('tokens that do not work disconnect the account, unless others have come meanwhile', () => {
  const disconnect = { type: 'disconnect', before: 'a', ...by } as const;
  given(connected('a')).when(disconnect).then(disconnected);
  given(connected('a'), connected('b')).when(disconnect).thenNothing();
  given(connected('a'), disconnected).when(disconnect).thenNothing();
  given().when(disconnect).thenNothing();
});
