import { Refusal } from '#kernel';
import type { Named } from '../past/named.js';
import type { Asked } from './scope.js';

type Parameters = Asked['parameters'];

/** Parameters of questions that show contents by which something is named that may be called otherwise later. */
const NAMING: Readonly<Record<string, (named: Named, text: string) => number>> = {
  channel: (named, text) => named.channel(text).channelId,
  user: (named, text) => named.user(text).userId,
  who: (named, text) => (text === 'operator' ? 0 : named.user(text).userId),
};

/** IDs of what parameters name now, by their names. @throws Refusal BAD_REQUEST as `Named` */
export function meantBy(named: Named, parameters: Parameters): Readonly<Record<string, number>> {
  const meant: Record<string, number> = {};
  for (const [name, idOf] of Object.entries(NAMING)) {
    const text = parameters[name];
    if (text !== undefined) meant[name] = idOf(named, text);
  }
  return meant;
}

/** Whether the parameters still name what they did. An auditor may be able to give one channel the name of another. */
export function stillMeans(named: Named, parameters: Parameters, meant: Readonly<Record<string, number>>): boolean {
  try {
    return Object.entries(meantBy(named, parameters)).every(([name, id]) => meant[name] === id);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'BAD_REQUEST') return false;
    throw error;
  }
}
