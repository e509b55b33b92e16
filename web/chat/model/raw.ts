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
