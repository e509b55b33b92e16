import { botsPart } from '#bots/model';
import { invitationsPart } from '#invitations/model';
import { Directory, type OrganizationEvent } from '#people';
import { SYSTEM_GROUPS } from '#groups/model';
import { domainsPart } from '#realm/model';
import { sampleAccount, sampleOrganization, sampleUser } from '#testing';
import { ROLE } from '../model/role.js';
import { decideConfirm, decideReset } from './account-links.decider.js';
import { addressMark, passwordMark, type AccountLink } from './account-links.js';

const at = 1_790_000_000;
const ANN = 1;
const { email } = sampleUser(ANN);
const [FORMER, WANTED] = [email, 'anne@acme.test'];

const created: readonly OrganizationEvent[] = [
  sampleOrganization(SYSTEM_GROUPS, at),
  sampleAccount(ANN, ROLE.member, at, { passwordHash: 'old' }),
  { type: 'user.api-key-issued.v1', data: { userId: ANN, generation: 1, hash: 'k1', at } },
];

function directoryOf(...events: readonly OrganizationEvent[]): Directory {
  const directory = new Directory([domainsPart, invitationsPart, botsPart]);
  [...created, ...events].forEach((event, index) => {
    directory.evolve(event, index + 1);
  });
  return directory;
}

const changed = (data: object): OrganizationEvent => ({
  type: 'user.changed.v1',
  data: { userId: ANN, by: ANN, at, ...data },
});
const deactivated: OrganizationEvent = { type: 'user.deactivated.v1', data: { userId: ANN, by: ANN, at } };
const closed: OrganizationEvent = { type: 'organization.deactivated.v1', data: { by: ANN, at } };
const setting = (settings: object): OrganizationEvent => ({
  type: 'organization.settings-changed.v1',
  data: { settings, by: ANN, at },
});

describe('resetting a password', () => {
  const user = directoryOf().user(ANN);
  const link: AccountLink = { userId: ANN, since: at, mark: user === undefined ? '' : passwordMark(user) };
  const reset = (directory: Directory, more: object = {}) =>
    decideReset(directory, { link, passwordHash: 'new', apiKeyHash: undefined, at, ...more });

  test('keeps the key, or issues the next', () => {
    expect(reset(directoryOf())).toEqual([changed({ passwordHash: 'new' })]);
    const apiKeyHash = (_: number, generation: number): string => `k${generation}`;
    expect(reset(directoryOf(), { apiKeyHash })[1]).toEqual({
      type: 'user.api-key-issued.v1',
      data: { userId: ANN, generation: 2, hash: 'k2', at },
    });
  });

  test.each<[string, OrganizationEvent]>([
    ['another password', changed({ passwordHash: 'new' })],
    ['another address', changed({ email: WANTED })],
    ['the account', deactivated],
    ['the organization', closed],
    ['passwords', setting({ authentication_methods: { Email: false } })],
  ])('ends with %s', (_, event) => {
    expect(() => reset(directoryOf(event))).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });
});

describe('confirming an address', () => {
  const link: AccountLink = { userId: ANN, since: at, mark: addressMark(WANTED) };
  const asked = (address = WANTED, since = at): OrganizationEvent => ({
    type: 'user.email-change-requested.v1',
    data: { userId: ANN, email: address, at: since, entails: 'mail' },
  });

  test('changes it, and tells at both', () => {
    const data = { email: WANTED, entails: { formerEmail: FORMER } };
    expect(decideConfirm(directoryOf(asked()), link, at)).toEqual([changed(data)]);
  });

  test.each<[string, readonly OrganizationEvent[]]>([
    ['no wish', []],
    ['a later wish', [asked(), asked(WANTED, at + 1)]],
    ['a wish for another address in the same second', [asked(), asked('other@acme.test')]],
    ['the wish fulfilled', [asked(), changed({ email: WANTED })]],
    ['another address since', [asked(), changed({ email: 'other@acme.test' })]],
    ['a deactivated account', [asked(), deactivated]],
    ['a deactivated organization', [asked(), closed]],
    ['changes turned off', [asked(), setting({ email_changes_disabled: true })]],
  ])('does nothing with %s', (_, events) => {
    expect(() => decideConfirm(directoryOf(...events), link, at)).toThrow(
      expect.objectContaining({ code: 'NOT_FOUND' }),
    );
  });
});
