import type { ApiClient } from '../client.js';
import type { Followed } from './followed.js';

/** Who acts: the reader's own other client is `ann`. */
export type Who = 'owner' | 'ann' | 'ben';

/**
 * One act of a story. It names messages by a share from 0 to 1 of the latest that its actor sees, so that acts before it can be
 * taken out of the story.
 */
export type Act =
  | {
      readonly does: 'send';
      readonly who: Who;
      readonly channel: number;
      readonly topic: string;
      readonly content: string;
    }
  | { readonly does: 'write'; readonly who: Who; readonly to: Who }
  | { readonly does: 'post'; readonly channel: number; readonly topic: string; readonly content: string }
  | { readonly does: 'edit'; readonly who: Who; readonly message: number; readonly content: string }
  | {
      readonly does: 'rename';
      readonly who: Who;
      readonly message: number;
      readonly topic: string;
      readonly mode: string;
    }
  | { readonly does: 'move'; readonly who: Who; readonly message: number; readonly channel: number }
  | { readonly does: 'delete'; readonly who: Who; readonly message: number }
  | { readonly does: 'react' | 'unreact'; readonly who: Who; readonly message: number; readonly emoji: string }
  | { readonly does: 'set flag'; readonly flag: 'read' | 'starred'; readonly messages: readonly number[] }
  | {
      readonly does: 'add flag' | 'remove flag';
      readonly flag: 'read' | 'starred';
      readonly messages: readonly number[];
    }
  | { readonly does: 'subscribe' | 'unsubscribe' }
  | { readonly does: 'drop queue' | 'restart' };

/** What acts happen to. */
export interface Scene {
  readonly people: Readonly<Record<Who, ApiClient>>;
  /** The first one is always read; the reader comes to and leaves the second one. */
  readonly channels: readonly { readonly id: number; readonly name: string }[];
  /** Messages up to this one are of earlier stories. */
  readonly since: number;
  readonly client: Followed;
  /** Ends the server, in its own way or by force, and starts it again. */
  restart(): Promise<void>;
}

const LATEST = 12;
const TOPICS = ['one', 'two', 'ONE'];

/** @param random numbers from 0 up to 1 */
export function randomActs(random: () => number, count: number): readonly Act[] {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const share = (): number => Math.round(random() * 1000) / 1000;
  return Array.from({ length: count }, (_, index): Act => {
    const who = pick<Who>(['owner', 'ann', 'ben']);
    const [topic, channel, message] = [pick(TOPICS), below(2), share()];
    const flag = pick(['read', 'starred'] as const);
    const messages = Array.from({ length: below(LATEST / 2) }, share);
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
        return { does: 'send', who, channel, topic, content: pick(['hello', 'hello @**Ann Archer**', 'nothing']) };
      case 3:
        return { does: 'write', who, to: pick<Who>(['owner', 'ann', 'ben']) };
      case 4:
        return { does: 'post', channel, topic, content: `mine ${index} ${below(1e9)}` };
      case 5:
        return { does: 'edit', who, message, content: pick(['hello again', 'other']) };
      case 6:
        return { does: 'rename', who, message, topic, mode: pick(['change_one', 'change_all']) };
      case 7:
        return { does: 'move', who, message, channel };
      case 8:
        return { does: 'delete', who, message };
      case 9:
        return { does: pick(['react', 'unreact'] as const), who, message, emoji: pick(['tada', 'heart']) };
      case 10:
        return below(2) === 0
          ? { does: 'set flag', flag, messages }
          : { does: pick(['add flag', 'remove flag'] as const), flag, messages };
      case 11:
        return { does: pick(['subscribe', 'unsubscribe'] as const) };
      case 12:
        return { does: 'drop queue' };
      default:
        return below(4) > 0 ? { does: 'write', who, to: 'ann' } : { does: 'restart' };
    }
  });
}

/** Does it, as far as it is possible and allowed. */
export async function perform(act: Act, scene: Scene): Promise<void> {
  const { people, channels, client } = scene;
  const { owner, ann } = people;
  const channelIdOf = (index: number): number => channels[index]?.id ?? 0;
  switch (act.does) {
    case 'send':
      await people[act.who].send(channelIdOf(act.channel), act.topic, act.content);
      return;
    case 'write':
      await people[act.who].sendTo([people[act.to]], 'hello');
      return;
    case 'post':
      await client.send(channelIdOf(act.channel), act.topic, act.content);
      return;
    case 'edit':
      return changed(scene, act, people[act.who], 'PATCH', '', { content: act.content });
    case 'rename':
      return changed(scene, act, people[act.who], 'PATCH', '', {
        topic: act.topic,
        propagate_mode: act.mode,
        send_notification_to_new_thread: false,
      });
    case 'move':
      return changed(scene, act, owner, 'PATCH', '', { stream_id: channelIdOf(act.channel) });
    case 'delete':
      return changed(scene, act, owner, 'DELETE', '');
    case 'react':
    case 'unreact':
      return changed(scene, act, people[act.who], act.does === 'react' ? 'POST' : 'DELETE', '/reactions', {
        emoji_name: act.emoji,
      });
    case 'set flag':
      await client.setFlag(act.flag, await named(scene, 'ann', act.messages));
      return;
    case 'add flag':
    case 'remove flag': {
      const messages = await named(scene, 'ann', act.messages);
      await ann.call('POST', '/messages/flags', { messages, op: act.does.split(' ')[0], flag: act.flag });
      return;
    }
    case 'subscribe':
      await ann.subscribe(channels[1]?.name ?? '');
      return;
    case 'unsubscribe':
      await ann.call('DELETE', '/users/me/subscriptions', { subscriptions: [channels[1]?.name] });
      return;
    case 'drop queue': {
      const queueId = await client.queueId();
      if (queueId !== undefined) await ann.call('DELETE', '/events', { queue_id: queueId });
      return;
    }
    case 'restart':
      return scene.restart();
  }
}

async function changed(
  scene: Scene,
  { who, message }: { readonly who: Who; readonly message: number },
  by: ApiClient,
  method: string,
  path: string,
  parameters = {},
): Promise<void> {
  const [id] = await named(scene, who, [message]);
  if (id !== undefined) await by.call(method, `/messages/${id}${path}`, parameters);
}

/** IDs of the messages that these shares name. */
async function named({ people, since }: Scene, who: Who, shares: readonly number[]): Promise<readonly number[]> {
  if (shares.length === 0) return [];
  const { messages } = await people[who].ok('GET', '/messages', { anchor: 'newest', num_before: LATEST, num_after: 0 });
  const ids: number[] = messages.map(({ id }: { readonly id: number }) => id).filter((id: number) => id > since);
  const found = shares.flatMap((share) => ids[Math.min(ids.length - 1, Math.floor(share * ids.length))] ?? []);
  return [...new Set(found)];
}
