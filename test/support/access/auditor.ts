import { randomUUID } from 'node:crypto';
import { newGroupPermissions } from '#groups/model';
import type { OrganizationEvent } from '#people';
import { isNightly } from '#testing';
import { accountOf, recordFacts } from '../facts.js';
import type { ApiClient } from '../client.js';
import { isShared } from '../pairings.js';
import { startTestServer, type TestServer } from '../server.js';
import { type Expected, HIDDEN, OPEN, REFUSED } from './findings.js';
import { type Role, ROLES } from './model.js';

/** How an account comes to be one that may audit, or not. */
export const CLAIMS = {
  'is named': true,
  'is in a named group': true,
  'is in a group below it': true,
  'is in none': false,
  'is in a group above it': false,
  'was in a named group': false,
} as const;

/** The others are those of a member alone. */
const OF_EACH_ROLE: ReadonlySet<string> = new Set(['is named', 'is in a group below it', 'is in none']);

/** Fewer where requests are dear. */
const ASKED = (Object.keys(ROLES) as Role[]).filter(
  (role) => isNightly || !(role === 'moderator' || (isShared && role === 'administrator')),
);

export type Claim = keyof typeof CLAIMS;

export interface AuditViewer {
  readonly name: string;
  readonly role: Role;
  readonly claim: Claim;
  readonly isDeactivated?: true;
  readonly isBot?: true;
  readonly client: ApiClient;
}

/** A route of the audit, as a viewer asks it. */
export interface AuditRoute {
  /** As the catalogue of routes has it. */
  readonly route: string;
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly needs: 'auditor' | 'auditor and approval' | 'auditor or approver';
  /** Nothing is there that the call is about: who may ask is told so. */
  readonly isOfNothing?: true;
}

const contents = (route: string, path: string, parameters = {}, more: Partial<AuditRoute> = {}): AuditRoute => ({
  ...{ route: `GET /audit/${route}`, path, parameters, needs: 'auditor and approval' },
  ...more,
});
const facts = (path: string, parameters = {}): AuditRoute => ({
  ...{ route: `GET /audit/${path}`, path, parameters, needs: 'auditor' },
});
const decision = (how: string): AuditRoute => ({
  ...{ route: `POST /audit/requests/{request_id}/${how}`, path: `requests/999/${how}` },
  ...{ needs: 'auditor or approver', isOfNothing: true },
});

export const AUDIT_ROUTES: readonly AuditRoute[] = [
  contents('messages/{message_id}', 'messages/1'),
  contents('topic', 'topic', { channel: 'general', topic: 'greetings' }),
  contents('acts', 'acts', { who: 'operator' }),
  contents('search', 'search', { words: 'noon' }),
  contents('export', 'export'),
  contents('export/files/{file_id}', 'export/files/999', {}, { isOfNothing: true }),
  facts('audits'),
  facts('channel', { channel: 'general' }),
  facts('user', { user: '1' }),
  facts('group', { group: 'role:members' }),
  facts('setting', { setting: 'name' }),
  facts('permissions'),
  facts('sign-ins', { failed: 'true' }),
  facts('access', { channel: 'general' }),
  { route: 'GET /audit/requests', path: 'requests', needs: 'auditor or approver' },
  // What needs no approval is not requested, whatever the setting.
  {
    route: 'POST /audit/requests',
    path: 'requests',
    parameters: { question: 'audits' },
    needs: 'auditor',
    isOfNothing: true,
  },
  decision('approve'),
  decision('refuse'),
];

/**
 * Who may ask what, from the interface's description (endpoints.md §16, rules.md §3).
 * @param needsApproval the setting `audit_needs_approval`
 */
export function expectedOf(viewer: AuditViewer, { needs, isOfNothing }: AuditRoute, needsApproval: boolean): Expected {
  const { role, claim, isBot, isDeactivated } = viewer;
  if (isBot === true || isDeactivated === true) return HIDDEN;
  const isAuditor = CLAIMS[claim] && role !== 'guest';
  const isApprover = isAuditor || (role === 'owner' && needsApproval);
  if (!(needs === 'auditor or approver' ? isApprover : isAuditor)) return HIDDEN;
  if (needs === 'auditor and approval' && needsApproval) return REFUSED;
  return isOfNothing === true ? REFUSED : OPEN;
}

export interface AuditWorld {
  readonly server: TestServer;
  readonly viewers: readonly AuditViewer[];
}

/** Accounts of each role with each claim; and of named members one that is deactivated, one that became a guest, and a bot. */
export async function settleAuditors(): Promise<AuditWorld> {
  const server = await startTestServer();
  const { members } = await server.owner.ok('GET', '/users');
  const { user_groups: groups } = await server.owner.ok('GET', '/user_groups');
  let userId = Math.max(...members.map(({ user_id }: { user_id: number }) => user_id));
  const [inner, named, outer] = [1, 2, 3].map((more) => Number(groups.length) + more) as [number, number, number];
  const recorded: OrganizationEvent[] = [];
  const viewer = (name: string, role: Role, claim: Claim, more: Partial<AuditViewer> = {}): AuditViewer => {
    const owner = more.isBot === true ? server.owner : undefined;
    const made = accountOf(server, ++userId, `${name}-${randomUUID()}`, ROLES[role], owner);
    recorded.push(...made.facts);
    return { name, role, claim, client: made.client, ...more };
  };
  server.owner.userId = (await server.owner.ok('GET', '/users/me')).user_id;
  const demoted = viewer('made a guest', 'member', 'is named');
  const viewers = [
    ...ASKED.flatMap((role) =>
      (Object.keys(CLAIMS) as Claim[])
        .filter((claim) => role === 'member' || OF_EACH_ROLE.has(claim))
        .map((claim) => viewer(`${role} who ${claim}`, role, claim)),
    ),
    viewer('deactivated', 'member', 'is named', { isDeactivated: true }),
    viewer('bot', 'member', 'is named', { isBot: true }),
    { ...demoted, role: 'guest' as const },
  ];
  const idsOf = (claim: Claim): number[] =>
    viewers.filter((one) => one.claim === claim).map((one) => one.client.userId);
  const done = { by: server.owner.userId, at: Math.floor(Date.now() / 1000) };
  const group = (groupId: number, userIds: number[], subgroupIds: number[]): OrganizationEvent => ({
    type: 'group.created.v1',
    data: {
      ...{
        groupId,
        name: `group ${groupId}`,
        description: '',
        userIds: [...userIds].sort((a, b) => a - b),
        subgroupIds,
      },
      ...{ permissions: newGroupPermissions(done.by), ...done },
    },
  });
  recorded.push(
    group(inner, idsOf('is in a group below it'), []),
    group(named, [...idsOf('is in a named group'), ...idsOf('was in a named group')], [inner]),
    group(outer, idsOf('is in a group above it'), [named]),
  );
  await server.restart(() => recordFacts(server, recorded));
  const { owner } = server;
  const direct_members = idsOf('is named').sort((a, b) => a - b);
  await owner.ok('PATCH', '/realm', { can_audit_group: { new: { direct_members, direct_subgroups: [named] } } });
  await owner.ok('POST', `/user_groups/${named}/members`, { delete: idsOf('was in a named group') });
  await owner.ok('PATCH', `/users/${demoted.client.userId}`, { role: ROLES.guest });
  for (const { isDeactivated, client } of viewers)
    if (isDeactivated === true) await owner.ok('DELETE', `/users/${client.userId}`);
  return { server, viewers };
}
