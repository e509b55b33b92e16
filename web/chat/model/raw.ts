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

/** Hash of a wording, by which an edit tells what it replaces. Undefined where the page may not hash: on plain http from another host. */
export async function shaOf(text: string): Promise<string | undefined> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
