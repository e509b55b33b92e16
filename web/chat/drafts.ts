/**
 * What was typed to a channel and has no topic yet: it belongs to no conversation, so that no other client could show it, and is
 * kept in this browser alone. Drafts of conversations are the client library's.
 */
const PREFIX = 'draft/';

export interface LooseDraft {
  readonly content: string;
  readonly topic: string;
  readonly caret: number;
  readonly atMs: number;
}

/** Where storage is forbidden or full, they live as long as the page. */
const memory = new Map<string, LooseDraft>();

const keyOf = (userId: number, channelId: number): string => `${PREFIX}${userId}/${channelId}`;

export function looseDraft(userId: number, channelId: number): LooseDraft | undefined {
  const key = keyOf(userId, channelId);
  const known = memory.get(key);
  if (known !== undefined) return known;
  try {
    const text = localStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as LooseDraft);
  } catch {
    return undefined;
  }
}

/** An empty one is none. */
export function keepLooseDraft(userId: number, channelId: number, draft: LooseDraft): void {
  const key = keyOf(userId, channelId);
  const isEmpty = draft.content.trim() === '';
  if (isEmpty) memory.delete(key);
  else memory.set(key, draft);
  try {
    if (isEmpty) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(draft));
    memory.delete(key);
  } catch {
    // Forbidden or full: it stays in memory.
  }
}

/** All of a user, by channel. */
export function looseDrafts(userId: number): readonly (readonly [channelId: number, draft: LooseDraft])[] {
  const prefix = `${PREFIX}${userId}/`;
  let stored: string[] = [];
  try {
    stored = Object.keys(localStorage);
  } catch {
    // Forbidden.
  }
  const ids = [...new Set([...stored, ...memory.keys()])]
    .filter((key) => key.startsWith(prefix))
    .map((key) => Number(key.slice(prefix.length)))
    .filter(Number.isSafeInteger);
  return ids.flatMap((id) => {
    const draft = looseDraft(userId, id);
    return draft === undefined ? [] : [[id, draft] as const];
  });
}
