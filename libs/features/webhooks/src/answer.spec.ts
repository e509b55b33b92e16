import { ServiceReports, type ServiceFailure } from '#kernel';
import { outcomeOf } from './answer.js';
import { SERVICE_INTERFACE } from './payload.js';

const service = { name: 'x', url: 'http://e.example', interface: SERVICE_INTERFACE.generic, token: 'x' };
const poll = { widget_type: 'poll', extra_data: { question: 'Q', options: ['a'] } };

function outcome(answer: object, form: number = SERVICE_INTERFACE.generic) {
  const told: ServiceFailure[] = [];
  const reports = new ServiceReports((failure) => told.push(failure));
  const posted = { status: 200, text: JSON.stringify(answer) };
  return { outcome: outcomeOf({ ...service, interface: form }, posted, reports), told };
}

test('an answer may ask for a widget beside its content', () => {
  const widget = { type: 'poll', content: JSON.stringify(poll) };
  expect(outcome({ content: 'Vote', widget_content: poll })).toEqual({
    outcome: { kind: 'answered', reply: 'Vote', widget },
    told: [],
  });
});

test('a widget that is not valid is left out, and the operator is told', () => {
  const { outcome: answered, told } = outcome({ content: 'Vote', widget_content: { ...poll, secret: 'x' } });
  expect(answered).toEqual({ kind: 'answered', reply: 'Vote' });
  expect(told).toEqual([{ service: 'outgoing webhook', cause: 'InvalidWidgetContent' }]);
});

test.each([{ content: ' ' }, { response_not_required: true, content: 'x' }, {}])(
  'without content there is no widget: %j',
  (answer) => {
    expect(outcome({ ...answer, widget_content: poll })).toEqual({ outcome: { kind: 'answered' }, told: [] });
  },
);

test("Slack's form has none", () => {
  expect(outcome({ text: 'Vote', widget_content: poll }, SERVICE_INTERFACE.slack)).toEqual({
    outcome: { kind: 'answered', reply: 'Vote' },
    told: [],
  });
});
