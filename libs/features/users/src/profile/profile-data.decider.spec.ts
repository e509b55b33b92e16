import { Directory, type OrganizationEvent } from '#people';
import { evolveDirectory, sampleAccount } from '#testing';
import { PROFILE_FIELD } from '../model/profile-fields/profile-fields.js';
import { ROLE } from '../model/role.js';
import { decideProfile, type ChangeProfile } from './profile-data.decider.js';
import { fieldDefinition } from './field-definition.js';

const ANN = 7;
const FIELD = 1;
const at = 1_790_000_000;

const text = { name: 'About', hint: '', data: undefined, isInSummary: false, isRequired: false, isEditable: true };
const fieldCreated: OrganizationEvent = {
  type: 'profile-field.created.v1',
  data: { fieldId: FIELD, field: fieldDefinition(PROFILE_FIELD.paragraph, text), by: ANN, at },
};

function decide(values: ChangeProfile['values'], ...before: readonly OrganizationEvent[]) {
  const directory = new Directory();
  for (const event of [sampleAccount(ANN, ROLE.member, at), fieldCreated, ...before]) evolveDirectory(directory, event);
  const user = directory.user(ANN)!;
  const render = jest.fn((markdown: string) => `<p>${markdown}</p>`);
  return { events: decideProfile(directory, user, user, { values, render }, at), render };
}

const valuesOf = ({ events }: ReturnType<typeof decide>) => events.flatMap(({ data }) => data.values);

test('of several values of a field the last one counts, and alone is rendered', () => {
  const decided = decide([1, 2, 3].map((value) => ({ fieldId: FIELD, value: String(value) })));
  expect(valuesOf(decided)).toEqual([{ fieldId: FIELD, value: '3', rendered: '<p>3</p>' }]);
  expect(decided.render).toHaveBeenCalledTimes(1);
});

test('a value that is as it was is neither recorded nor rendered', () => {
  const values = [{ fieldId: FIELD, value: 'here' }];
  const decided = decide(values, ...decide(values).events);
  expect(decided.events).toEqual([]);
  expect(decided.render).not.toHaveBeenCalled();
});

test('each value is checked, also one that does not count', () => {
  const long = { fieldId: FIELD, value: 'x'.repeat(501) };
  expect(() => decide([long, { fieldId: FIELD, value: 'short' }])).toThrow('too long');
});
