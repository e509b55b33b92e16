import type { Directory } from '#people';
import { integer, named, object, text, type Wire } from '#wire';
import { playgroundsPart } from '../model/playgrounds/playgrounds.part.js';

export const PlaygroundSchema = named(
  'Playground',
  object({ id: integer, name: text, pygments_language: text, url_template: text }),
);

/** The organization's code playgrounds on the wire (register.md §2, `realm_playgrounds`). */
export function wirePlaygrounds(directory: Pick<Directory, 'of'>): readonly Wire<typeof PlaygroundSchema>[] {
  return directory.of(playgroundsPart).inOrder.map(({ playgroundId, name, pygmentsLanguage, urlTemplate }) => {
    return { id: playgroundId, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
  });
}
