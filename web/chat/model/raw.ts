import { call } from '../../shared/api.js';
import type { Message } from './wire.js';

/** The Markdown of a message. */
export async function rawOf({ id }: Message): Promise<{ readonly content: string }> {
  const answer = await call<{ readonly message: { readonly content: string } }>('GET', `/messages/${id}`, {
    apply_markdown: false,
    allow_empty_topic_name: true,
  });
  return answer.message;
}

/**
 * Replaces the wording of a message. Refused when it is another one by now: what somebody else wrote into it meanwhile is not overwritten
 * unseen.
 */
export async function reword({ id }: Message, before: string, content: string): Promise<void> {
  await call('PATCH', `/messages/${id}`, { content, prev_content_sha256: await shaOf(before) });
}

/** Hash of a wording, by which an edit tells what it replaces. Undefined where the page may not hash: on plain http from another host. */
async function shaOf(text: string): Promise<string | undefined> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
