import { ArchiveProblem, type ArchiveReader } from '#archive';
import { ROLE } from '#users/model';
import { entryNamed } from '../translated/archive-files.js';
import type { TranslatedUser } from '../translated/translated.js';
import type { Translation } from '../translated/translation.js';
import type { MattermostUser } from './mattermost-documents.js';
import type { MattermostContent } from './mattermost-records.js';

/** Folders of an archive to which the paths in its documents are relative. */
export const MATTERMOST_FOLDERS = ['data/', '', 'bulk-export-attachments/'] as const;

/** Accounts of the people and bots in an export, by their names. */
export class MattermostPeople {
  constructor(
    private readonly archive: ArchiveReader,
    private readonly entry: string,
    private readonly content: MattermostContent,
    private readonly to: Translation,
  ) {}

  /** Begins the organization. */
  async begin(): Promise<void> {
    const { content, to } = this;
    const active = content.users.filter(({ delete_at, roles }) => (delete_at ?? 0) === 0 && !isGuest(roles));
    const owner = active.find(({ roles }) => isAdmin(roles)) ?? active[0];
    if (owner === undefined) throw new ArchiveProblem(this.entry, 'there is nobody who could own the organization.');
    const [team, ...more] = content.teams;
    const name = team === undefined || more.length > 0 ? 'Imported from Mattermost' : (team.display_name ?? team.name);
    to.begin(name, { ...translatedUser(owner), role: ROLE.owner }, content.begunAt);
    for (const user of content.users) {
      const userId = to.addUser(translatedUser(user));
      await this.#addAvatar(userId, user.profile_image);
    }
    for (const { username, owner: botOwner, display_name, delete_at, profile_image } of content.bots) {
      const userId = to.addUser({
        ...unknown(username),
        names: [display_name ?? '', username],
        isBot: true,
        isActive: (delete_at ?? 0) === 0,
        botOwnerKey: botOwner ?? undefined,
      });
      await this.#addAvatar(userId, profile_image);
    }
  }

  /** The account of a name. An export may leave out people whom messages name. */
  idOf(username: string): number {
    const known = this.to.userId(username);
    if (known !== undefined) return known;
    this.to.notes.add('accounts are named in messages and not in the list of users');
    return this.to.addUser(unknown(username));
  }

  async #addAvatar(userId: number, path: string | null | undefined): Promise<void> {
    if ((path ?? '') === '') return;
    const entry = entryNamed(this.archive, path ?? '', MATTERMOST_FOLDERS);
    if (entry === undefined) this.to.notes.add('profile pictures are not in the archive');
    else await this.to.addAvatar(userId, entry);
  }
}

function translatedUser(user: MattermostUser): TranslatedUser {
  const { username, email, nickname, first_name, last_name, delete_at, timezone } = user;
  const { useAutomaticTimezone: automatic, automaticTimezone, manualTimezone } = timezone ?? {};
  const zone = String(automatic) === 'false' ? manualTimezone : automaticTimezone;
  return {
    key: username,
    names: [`${first_name ?? ''} ${last_name ?? ''}`.trim(), nickname ?? '', username].filter((name) => name !== ''),
    email: email ?? '',
    role: roleOf(user),
    isBot: false,
    isActive: (delete_at ?? 0) === 0,
    timezone: typeof zone === 'string' ? zone : '',
  };
}

/** Administrators of teams, which there are none of here, are moderators. */
function roleOf({ roles, teams }: MattermostUser): number {
  if (isGuest(roles)) return ROLE.guest;
  if (isAdmin(roles)) return ROLE.administrator;
  return (teams ?? []).some((team) => hasRole(team.roles, 'team_admin')) ? ROLE.moderator : ROLE.member;
}

function isAdmin(roles: string | null | undefined): boolean {
  return hasRole(roles, 'system_admin');
}

function isGuest(roles: string | null | undefined): boolean {
  return hasRole(roles, 'system_guest');
}

function hasRole(roles: string | null | undefined, role: string): boolean {
  return (roles ?? '').split(' ').includes(role);
}

function unknown(username: string): TranslatedUser {
  return {
    key: username,
    names: [username],
    email: '',
    role: ROLE.member,
    isBot: false,
    isActive: false,
    timezone: '',
  };
}
