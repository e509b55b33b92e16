import { integer, named, object, text, type Wire } from '#wire';
import type { Playground } from '../model/playgrounds/playgrounds.js';

export const PlaygroundSchema = named(
  'Playground',
  object({ id: integer, name: text, pygments_language: text, url_template: text }),
);

/** The organization's code playgrounds on the wire (register.md §2, `realm_playgrounds`). */
export function wirePlaygrounds(inOrder: readonly Playground[]): readonly Wire<typeof PlaygroundSchema>[] {
  return inOrder.map(({ playgroundId, name, pygmentsLanguage, urlTemplate }) => {
    return { id: playgroundId, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
  });
}
