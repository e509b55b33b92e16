import { readdir } from 'node:fs/promises';
import type { ExportFolder } from '../export-folder.js';
import type { RowPlace, Story } from '../export-row.js';
import { pathOfFile } from '../fetch-files.js';
import { placedStoriesOf, storiesOf, storyAt } from '../line-file.js';
import { type Merged, MESSAGES } from '../merge.js';
import { csvOf } from './csv.js';
import { type Attached, emlOf, pathOfEml } from './eml.js';
import { writeHtml } from './html.js';
import { Names } from './names.js';
import { conversationId, dayOf, EVENTS_MAX, pathOfRsmf, type RsmfFile, rsmfOf } from './rsmf.js';
import { type State, stateOf } from './state.js';

/** Names of the formats. The lines are always written: others are made from them. */
export const FORMATS = ['csv', 'eml', 'html', 'jsonl', 'rsmf'] as const;

/**
 * Writes the other formats. All of `csv` and `html` is written again; of `eml` and `rsmf`, what has changed.
 * @param isAllNew the names of users or channels have changed, which are in all of it
 */
export async function writeFormats(
  folder: ExportFolder,
  formats: readonly string[],
  merged: Merged,
  isAllNew: boolean,
): Promise<void> {
  const writing = new Writing(folder, merged, isAllNew);
  if (formats.includes('csv')) await writing.csv();
  if (formats.includes('html')) await writing.html();
  if (formats.includes('eml')) await writing.eml();
  if (formats.includes('rsmf')) await writing.rsmf();
}

class Writing {
  readonly #names: Names;

  constructor(
    private readonly folder: ExportFolder,
    private readonly merged: Merged,
    private readonly isAllNew: boolean,
  ) {
    this.#names = new Names(merged);
  }

  csv(): Promise<void> {
    return this.folder.write('messages.csv', csvOf(this.#stories(), this.#names));
  }

  async html(): Promise<void> {
    const { folder, merged } = this;
    const world = { names: this.#names, files: merged.files, has: (path: string) => folder.has(path) };
    await writeHtml(this.#stories(), world, (name, content) => folder.write(name, content));
  }

  async eml(): Promise<void> {
    for await (const story of this.#stories()) {
      const path = pathOfEml(story.id);
      if (!this.isAllNew && !this.merged.changed.has(story.id) && this.folder.has(path)) continue;
      await this.folder.write(path, await emlOf(story, this.#names, this.#attached(story)));
    }
  }

  #attached(story: Story): readonly Attached[] {
    return this.#files(stateOf(story)).map(({ path, id }) => ({
      path,
      contentType: this.merged.files.get(id)?.uploaded.content_type ?? 'application/octet-stream',
    }));
  }

  async rsmf(): Promise<void> {
    const { folder, merged } = this;
    const slices = new Map<string, { readonly place: RowPlace; readonly day: string; readonly at: number[] }>();
    /** Where changed messages are or were: days that are written again. */
    const touched = new Set<string>();
    for await (const { story, from } of placedStoriesOf(folder.at(MESSAGES))) {
      const { place, sentAt } = stateOf(story);
      const day = dayOf(sentAt);
      const key = keyOf(place, day);
      const slice = slices.get(key) ?? { place, day, at: [] };
      slice.at.push(from);
      slices.set(key, slice);
      if (merged.changed.has(story.id))
        for (const { place: was = place, from: left = was, to = was } of story.lines)
          for (const one of [was, left, to]) touched.add(keyOf(one, day));
    }
    const kept = new Set<string>();
    for (const [key, { place, day, at }] of slices)
      for (let part = 1; (part - 1) * EVENTS_MAX < at.length; part++) {
        const path = pathOfRsmf(place, day, part);
        kept.add(path);
        if (!this.isAllNew && !touched.has(key) && folder.has(path)) continue;
        const offsets = at.slice((part - 1) * EVENTS_MAX, part * EVENTS_MAX);
        const content = await rsmfOf({
          ...{ slice: { place, day }, part, names: this.#names },
          states: () => statesAt(folder.at(MESSAGES), offsets),
          filesOf: (state) => this.#files(state),
          draft: (name) => folder.draft(name),
        });
        await folder.write(path, content);
      }
    await this.#removeOthers(kept);
  }

  /** Days that have no message any more: all of them were moved. */
  async #removeOthers(kept: ReadonlySet<string>): Promise<void> {
    const found = await readdir(this.folder.at('rsmf'), { recursive: true }).catch(() => []);
    for (const name of found.map((one) => `rsmf/${one}`))
      if (name.endsWith('.rsmf') && !kept.has(name)) await this.folder.remove(name);
    await this.folder.removeEmpty('rsmf');
  }

  /** Files whose contents the folder has. */
  #files({ fileIds }: State): readonly RsmfFile[] {
    return fileIds.flatMap((id) => {
      const file = this.merged.files.get(id)?.uploaded;
      if (file === undefined || !this.folder.has(pathOfFile(file))) return [];
      return { id, path: this.folder.at(pathOfFile(file)), name: file.name ?? '', size: file.size ?? 0 };
    });
  }

  #stories(): AsyncGenerator<Story, void, void> {
    return storiesOf(this.folder.at(MESSAGES));
  }
}

function keyOf(place: RowPlace, day: string): string {
  return `${conversationId(place)} ${day}`;
}

async function* statesAt(path: string, offsets: readonly number[]): AsyncGenerator<State, void, void> {
  for (const from of offsets) yield stateOf(await storyAt(path, from));
}
