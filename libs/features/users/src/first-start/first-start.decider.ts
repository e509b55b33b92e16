import { newChannel, UserColors } from '#channels/model';
import { SYSTEM_GROUPS } from '#groups/model';
import type { OrganizationEvent } from '#people';
import { ROLE } from '../model/role.js';
import type { User } from '../model/user.js';

export interface CreateOrganization {
  readonly type: 'create-organization';
  readonly uuid: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  readonly ownerPasswordHash: string;
  readonly ownerApiKeyHash: string;
  /** Domain of the addresses of the server's own bots. */
  readonly botDomain: string;
  readonly at: number;
}

/** System bots. No other user may have a name that looks like one of theirs (`isReservedName`). */
export const SYSTEM_BOTS: readonly { kind: NonNullable<User['systemBot']>; localPart: string; fullName: string }[] = [
  { kind: 'notification', localPart: 'notification-bot', fullName: 'Notification Bot' },
  { kind: 'welcome', localPart: 'welcome-bot', fullName: 'Welcome Bot' },
  { kind: 'email-gateway', localPart: 'emailgateway', fullName: 'Email Gateway' },
];

/** The owner's user ID: humans come after the server's own bots. */
export const OWNER_ID = SYSTEM_BOTS.length + 1;

const GENERAL_ID = 1;

/** The first events of an organization: its system groups and bots, its owner, and a first channel (rules.md §12). */
export function decideCreateOrganization(command: CreateOrganization): readonly OrganizationEvent[] {
  const { at } = command;
  const groups = SYSTEM_GROUPS.map((group) => ({ ...group, directSubgroups: [...group.directSubgroups] }));
  return [
    { type: 'organization.created.v1', data: { uuid: command.uuid, name: command.name, at, groups } },
    ...SYSTEM_BOTS.map(({ kind, localPart, fullName }, index): OrganizationEvent => ({
      type: 'user.created.v1',
      data: {
        userId: index + 1,
        email: `${localPart}@${command.botDomain}`,
        fullName,
        role: ROLE.member,
        botType: 1,
        botOwnerId: null,
        systemBot: kind,
        timezone: '',
        at,
      },
    })),
    {
      type: 'user.created.v1',
      data: {
        userId: OWNER_ID,
        email: command.ownerEmail,
        fullName: command.ownerName,
        role: ROLE.owner,
        botType: null,
        botOwnerId: null,
        timezone: '',
        passwordHash: command.ownerPasswordHash,
        at,
      },
    },
    { type: 'user.api-key-issued.v1', data: { userId: OWNER_ID, generation: 1, hash: command.ownerApiKeyHash, at } },
    ...generalChannel(at),
  ];
}

function generalChannel(at: number): OrganizationEvent[] {
  const description = 'For team-wide conversations';
  return [
    newChannel({
      channelId: GENERAL_ID,
      name: 'general',
      description,
      renderedDescription: `<p>${description}</p>`,
      isDefault: true,
      creatorId: OWNER_ID,
      at,
    }),
    {
      type: 'channel.subscribed.v1',
      data: {
        channelId: GENERAL_ID,
        subscribers: [{ userId: OWNER_ID, color: new UserColors().pick(GENERAL_ID) }],
        by: null,
        at,
      },
    },
  ];
}
