import type { Translation } from '../translated/translation.js';
import type { MattermostChannel } from './mattermost-documents.js';
import { channelKey, type MattermostContent } from './mattermost-records.js';

/** Adds the channels of all teams, with those who are in them. */
export function addChannels({ teams, channels, users, begunAt }: MattermostContent, to: Translation): void {
  const members = new Map<string, string[]>();
  for (const { username, teams: memberships } of users)
    for (const team of memberships ?? [])
      for (const { name } of team.channels ?? []) {
        const key = channelKey(team.name, name);
        const known = members.get(key);
        if (known === undefined) members.set(key, [username]);
        else known.push(username);
      }
  const nameOf = namesOf(channels, new Map(teams.map(({ name, display_name }) => [name, display_name ?? name])));
  const gone = new Set(teams.flatMap(({ name, delete_at }) => ((delete_at ?? 0) > 0 ? [name] : [])));
  const translated = channels.map((channel) => ({ channel, name: nameOf(channel) }));
  // The channel that each organization begins with takes the place of its namesake.
  const isGeneral = ({ name, channel }: (typeof translated)[number]): boolean =>
    name.toLowerCase() === 'general' && channel.type === 'O';
  for (const { channel, name } of translated.toSorted((a, b) => Number(isGeneral(b)) - Number(isGeneral(a)))) {
    const { team, name: key, purpose, header, type, deleted_at, delete_at } = channel;
    to.addChannel({
      key: channelKey(team, key),
      name,
      description: [purpose ?? '', header ?? ''].filter((text) => text !== '').join(' '),
      isPrivate: type === 'P',
      isArchived: gone.has(team) || (deleted_at ?? delete_at ?? 0) > 0,
      memberKeys: members.get(channelKey(team, key)) ?? [],
      creatorKey: undefined,
      at: begunAt,
    });
  }
}

/** Names as people see them; those that several teams have name their team. */
function namesOf(
  channels: readonly MattermostChannel[],
  teams: ReadonlyMap<string, string>,
): (channel: MattermostChannel) => string {
  const shown = ({ name, display_name }: MattermostChannel): string =>
    display_name === undefined || display_name === null || display_name === '' ? name : display_name;
  const counts = new Map<string, number>();
  for (const channel of channels) {
    const key = shown(channel).toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return (channel) => {
    const name = shown(channel);
    return (counts.get(name.toLowerCase()) ?? 0) > 1 ? `${name} (${teams.get(channel.team) ?? channel.team})` : name;
  };
}
