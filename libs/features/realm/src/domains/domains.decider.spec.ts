import { ROLE, type User } from '#users/model';
import { specFor } from '#testing';
import { NEW_REALM } from '../model/settings/realm-settings.js';
import type { DomainCommand, DomainRequest } from './domains.commands.js';
import { decideDomain, DOMAINS_MAX } from './domains.decider.js';
import { evolveDomains, isWithinDomains, NO_DOMAINS } from '../model/domains/domains.js';
import type { DomainsEvent } from '../model/domains/domain.events.js';

const at = 1_790_000_000;
const owner = { userId: 2, role: ROLE.owner } as User;
const done = { by: owner.userId, at };
const settings = NEW_REALM.settings;

const given = specFor({
  initial: () => NO_DOMAINS,
  decide: (domains, command: DomainCommand) => decideDomain({ domains, settings }, command),
  evolve: (domains, event) => evolveDomains(domains, event as DomainsEvent),
});
const asked = (request: DomainRequest): DomainCommand => ({ ...request, actor: owner, at });
const add = (domain: string, allowSubdomains = false): DomainCommand =>
  asked({ type: 'add-domain', domain, allowSubdomains });
const added = (domainId: number, domain: string, allowSubdomains = false): DomainsEvent => ({
  type: 'domain.added.v1',
  data: { domainId, domain, allowSubdomains, ...done },
});
const removed = (domain: string): DomainsEvent => ({ type: 'domain.removed.v1', data: { domain, ...done } });

test('a domain is kept in lower case, under an ID that none had', () => {
  given(added(1, 'a.test'), removed('a.test')).when(add(' Acme.TEST ')).then(added(2, 'acme.test'));
});

test.each([
  '',
  'acme',
  '.acme.test',
  'acme.test.',
  'ac..me',
  '-a.test',
  'a-.test',
  'a b.test',
  'ä.test',
  'x'.repeat(80) + '.test',
])('%j is no domain', (domain) => {
  given().when(add(domain)).thenRefused('BAD_REQUEST');
});

test('there is one of each, and so many', () => {
  given(added(1, 'a.test')).when(add('A.test', true)).thenRefused('BAD_REQUEST');
  const all = Array.from({ length: DOMAINS_MAX }, (_, index) => added(index + 1, `d${index}.test`));
  given(...all)
    .when(add('one.more.test'))
    .thenRefused('BAD_REQUEST');
});

test('what is as it was, is no change', () => {
  const change = (allowSubdomains: boolean): DomainCommand =>
    asked({ type: 'change-domain', domain: 'A.test', allowSubdomains });
  given(added(1, 'a.test')).when(change(false)).thenNothing();
  given(added(1, 'a.test'))
    .when(change(true))
    .then({ type: 'domain.changed.v1', data: { domain: 'a.test', allowSubdomains: true, ...done } });
  given().when(change(true)).thenRefused('BAD_REQUEST');
});

test('removing the last one ends the restriction to domains', () => {
  const restricted = { ...settings, emails_restricted_to_domains: true };
  const one = evolveDomains(NO_DOMAINS, added(1, 'a.test'));
  const command = asked({ type: 'remove-domain', domain: 'a.test' });
  expect(decideDomain({ domains: one, settings: restricted }, command)).toEqual([
    removed('a.test'),
    { type: 'organization.settings-changed.v1', data: { settings: { emails_restricted_to_domains: false }, ...done } },
  ]);
  const two = evolveDomains(one, added(2, 'b.test'));
  expect(decideDomain({ domains: two, settings: restricted }, command)).toEqual([removed('a.test')]);
});

test.each([ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.guest])('role %i changes none', (role) => {
  given()
    .when({ ...add('a.test'), actor: { userId: 9, role } as User })
    .thenRefused('UNAUTHORIZED_PRINCIPAL');
});

test('an address is within a domain, or below one that allows that', () => {
  const domains = [added(1, 'a.test'), added(2, 'b.test', true)].reduce(evolveDomains, NO_DOMAINS);
  const within = (domain: string): boolean => isWithinDomains(domains, domain);
  expect(['a.test', 'A.TEST', 'b.test', 'x.b.test'].map(within)).toEqual([true, true, true, true]);
  expect(['x.a.test', 'xa.test', 'xb.test', 'test'].map(within)).toEqual([false, false, false, false]);
});
