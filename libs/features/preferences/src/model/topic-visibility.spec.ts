import { type Act, policyAfter } from './topic-visibility.js';

const NEVER = 4;
const settings = (follow: number, unmute: number) => ({
  automatically_follow_topics_policy: follow,
  automatically_unmute_topics_in_muted_streams_policy: unmute,
});

// Rows: the settings; columns: the act.
const acts: Act[] = ['participation', 'send', 'initiation'];
test.each([
  [1, [3, 3, 3]],
  [2, [undefined, 3, 3]],
  [3, [undefined, undefined, 3]],
  [NEVER, [undefined, undefined, undefined]],
])('following on %i', (follow, expected) => {
  expect(acts.map((act) => policyAfter(act, settings(follow, NEVER), false))).toEqual(expected);
  expect(acts.map((act) => policyAfter(act, settings(follow, NEVER), true))).toEqual(expected);
});

test.each([
  [1, [2, 2, 2]],
  [2, [undefined, 2, 2]],
  [3, [undefined, undefined, 2]],
  [NEVER, [undefined, undefined, undefined]],
])('unmuting on %i, in a muted channel alone', (unmute, expected) => {
  expect(acts.map((act) => policyAfter(act, settings(NEVER, unmute), true))).toEqual(expected);
  expect(acts.map((act) => policyAfter(act, settings(NEVER, unmute), false))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('following wins over unmuting', () => {
  expect(policyAfter('send', settings(2, 1), true)).toBe(3);
  expect(policyAfter('participation', settings(2, 1), true)).toBe(2);
});
