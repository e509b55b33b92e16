import type { JsonObject } from '#kernel';
import type { Directory } from '#organization';
import { playgroundsPart } from '../model/playgrounds/playgrounds.part.js';

/** The organization's code playgrounds on the wire (register.md §2, `realm_playgrounds`). */
export function wirePlaygrounds(directory: Pick<Directory, 'of'>): readonly JsonObject[] {
  return directory.of(playgroundsPart).inOrder.map(({ playgroundId, name, pygmentsLanguage, urlTemplate }) => {
    return { id: playgroundId, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
  });
}
