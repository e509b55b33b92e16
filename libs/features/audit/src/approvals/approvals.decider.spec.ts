import { specFor } from '#testing';
import type { ApprovalEvent } from './approval.events.js';
import { approvalsDecider, REQUESTS_MAX, REQUESTS_OF_ONE_MAX } from './approvals.decider.js';

const given = specFor(approvalsDecider);
const [ANN, BEN] = [5, 6];
const DAY = 24 * 3600;
const AT = 1_700_000_000;
const asked = { question: 'messages', parameters: { message_id: '7' }, meant: {}, reason: 'Case 7' };

const requested = (requestId: number, by = ANN, at = AT): ApprovalEvent => ({
  type: 'audit.call-requested.v1',
  data: { requestId, by, ...asked, at, until: at + 7 * DAY, entails: 'notice' },
});
const decided = { requestId: 1, by: BEN, requestedBy: ANN, reason: 'I know of it', entails: 'notice' } as const;
const approved = (at = AT + 1): ApprovalEvent => ({
  type: 'audit.call-approved.v1',
  data: { ...decided, at, until: at + DAY },
});
const refused: ApprovalEvent = { type: 'audit.call-refused.v1', data: { ...decided, at: AT + 1 } };
const request = { type: 'request-call', by: ANN, ...asked, at: AT } as const;
const approve = { type: 'approve-call', requestId: 1, by: BEN, reason: 'I know of it', at: AT + 1 } as const;

test('a request waits for a week', () => given().when(request).then(requested(1)));
test('the next one has the next ID, also after a refusal', () =>
  given(requested(1), refused).when(request).then(requested(2)));
test('somebody else approves it for a day', () => given(requested(1)).when(approve).then(approved()));
test('or refuses it', () =>
  given(requested(1))
    .when({ ...approve, type: 'refuse-call' })
    .then(refused));

test.each([
  ['who made it', [requested(1)], { by: ANN }],
  ['who does not name one', [requested(1)], { requestId: 2 }],
  ['after it was approved', [requested(1), approved()], {}],
  ['after it was refused', [requested(1), refused], {}],
  ['when it is over', [requested(1)], { at: AT + 7 * DAY + 1 }],
])('nobody decides %s, and the refusal is one for all', (_, events: ApprovalEvent[], more) => {
  for (const type of ['approve-call', 'refuse-call'] as const)
    expect(
      given(...events)
        .when({ ...approve, ...more, type })
        .thenRefused('BAD_REQUEST').message,
    ).toBe('There is no open request of somebody else with this ID.');
});

test('requests of one auditor are bounded, and those of all', () => {
  const many = (count: number, by: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => requested(index + 1, by(index)));
  given(...many(REQUESTS_OF_ONE_MAX, () => ANN))
    .when(request)
    .thenRefused('BAD_REQUEST');
  given(...many(REQUESTS_OF_ONE_MAX, () => ANN))
    .when({ ...request, by: BEN })
    .then(requested(REQUESTS_OF_ONE_MAX + 1, BEN));
  given(...many(REQUESTS_MAX, (index) => index + 100))
    .when(request)
    .thenRefused('BAD_REQUEST');
  given(...many(REQUESTS_MAX, (index) => index + 100))
    .when({ ...request, at: AT + 7 * DAY + 1 })
    .then(requested(REQUESTS_MAX + 1, ANN, AT + 7 * DAY + 1));
});

test('requests that are over are forgotten', () => {
  let state = approvalsDecider.initial();
  for (let id = 1; id <= 50; id++) state = approvalsDecider.evolve(state, requested(id, ANN, AT + id * 8 * DAY));
  expect(state.byId.size).toBe(1);
});
