import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { holdsRealmPermission } from '#realm/model';
import type { User } from '#users/model';
import type { Channel } from './model/channels/channel.js';

/** Settings that decide who may read a channel, and how far back. */
export type Privacy = Pick<Channel, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>;

/** The requested parts of a privacy; undefined where nothing is asked for. */
export interface AskedPrivacy {
  readonly isPrivate?: boolean | undefined;
  readonly isWebPublic?: boolean | undefined;
  readonly historyPublicToSubscribers?: boolean | undefined;
}

/**
 * The privacy that results. Unless the request says otherwise, a channel that turns private protects its history, and one
 * that turns public shares it.
 * @throws Refusal BAD_REQUEST for combinations that do not exist
 */
export function acceptPrivacy(asked: AskedPrivacy, current: Privacy): Privacy {
  const inviteOnly = asked.isPrivate ?? current.inviteOnly;
  const isWebPublic = asked.isWebPublic ?? current.isWebPublic;
  const implied = asked.isPrivate === undefined ? current.historyPublicToSubscribers : !asked.isPrivate;
  const historyPublicToSubscribers = asked.historyPublicToSubscribers ?? implied;
  if (isWebPublic && inviteOnly) throw badRequest('A web-public channel cannot be private.');
  if (!inviteOnly && !historyPublicToSubscribers)
    throw badRequest('Only a private channel can have protected history.');
  return { inviteOnly, isWebPublic, historyPublicToSubscribers };
}

/** @throws Refusal BAD_REQUEST */
export function assertMayPublishToWeb(directory: Directory, actor: User): void {
  if (!directory.settings.enable_spectator_access) throw badRequest('Web-public channels are not enabled.');
  if (!holdsRealmPermission(directory, actor, 'can_create_web_public_channel_group'))
    throw badRequest('Insufficient permission');
}

export function isSamePrivacy(one: Privacy, other: Privacy): boolean {
  if (one.inviteOnly !== other.inviteOnly) return false;
  if (one.isWebPublic !== other.isWebPublic) return false;
  return one.historyPublicToSubscribers === other.historyPublicToSubscribers;
}
