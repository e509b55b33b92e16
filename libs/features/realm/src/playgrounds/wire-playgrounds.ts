import type { JsonObject } from '#kernel';
import type { Directory } from '#organization';

/** The organization's code playgrounds on the wire (register.md §2, `realm_playgrounds`). */
export function wirePlaygrounds({ playgrounds }: Pick<Directory, 'playgrounds'>): readonly JsonObject[] {
  return playgrounds.inOrder.map(({ playgroundId, name, pygmentsLanguage, urlTemplate }) => {
    return { id: playgroundId, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
  });
}
