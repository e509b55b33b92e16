import { badRequest } from '#kernel';
import type { Directory } from '#people';
import { mayKnowChannel } from '#channels/model';
import type { User } from '#users/model';

/**
 * ID of the channel of this name; null for none.
 * @throws Refusal BAD_REQUEST, the same for a channel that the actor may not know
 */
export function channelNamed(directory: Directory, actor: User, name: string | null): number | null {
  if (name === null || name === '') return null;
  const channel = directory.channelByName(name);
  if (channel === undefined || !mayKnowChannel(directory, actor, channel))
    throw badRequest(`Invalid channel name '${name}'`);
  return channel.channelId;
}
