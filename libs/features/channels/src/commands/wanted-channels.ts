import { Slices } from '#kernel';
import { renderDescription } from '#markdown';
import { renderWorldOf } from '#messages';
import type { Directory } from '#people';
import type { Site } from '#realm/model';
import type { User } from '#users/model';
import { checkChannelDescription, checkChannelName } from '../channel-text.js';
import type { WantedChannel } from '../subscribe.decider.js';
import { normalizeColor } from '../wire-channel.js';

/** A channel as a request names it. */
export interface NamedChannel {
  readonly name: string;
  readonly description?: string;
  readonly color?: string;
}

/**
 * Checks the names and renders the descriptions.
 * @throws Refusal BAD_REQUEST
 */
export async function wantedChannels(
  directory: Directory,
  site: Site,
  actor: User,
  named: readonly NamedChannel[],
): Promise<readonly WantedChannel[]> {
  const world = renderWorldOf(directory, site.url, actor);
  const channels: WantedChannel[] = [];
  // A thousand descriptions take seconds to render, during which other requests must run.
  const slices = new Slices();
  for (const { name, description = '', color } of named) {
    const kept = checkChannelDescription(description);
    channels.push({
      name: checkChannelName(name),
      description: kept,
      renderedDescription: kept === '' ? '' : renderDescription(kept, world),
      color: color === undefined ? undefined : normalizeColor(color),
    });
    if (slices.isOver) await slices.next();
  }
  return channels;
}
