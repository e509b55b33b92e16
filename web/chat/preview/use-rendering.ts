import { type Asked, useAsked } from '../../shared/use-asked.js';

/**
 * What a text will look like, by the server, which knows every name and rule.
 * @param content Markdown; nothing is shown for an empty one
 * @param rules what else the answer depends on
 */
export function useRendering(content: string, rules?: unknown): Asked<{ readonly rendered: string }> | undefined {
  return useAsked('/messages/render', content === '' ? undefined : { content }, rules);
}
