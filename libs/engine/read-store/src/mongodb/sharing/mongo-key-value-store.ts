import { randomUUID } from 'node:crypto';
import type { JsonObject } from '#kernel';
import { ReadStoreUnavailable, KeyValueStore } from '../../read-store.js';
import { DUPLICATE_KEY, hasCode } from '../server/mongo-failure.js';
import type { MongoServer } from '../server/mongo-server.js';

/** Values are stored as JSON text, so field names do not matter: the server does not look inside. */
interface SideDocument {
  readonly _id: string;
  readonly kind: string;
  readonly id: string;
  readonly text?: string;
  /** Documents with the text, when it is too long for one. */
  readonly parts?: readonly string[];
}

interface SidePart {
  readonly _id: string;
  readonly text: string;
}

const SIDE = 'side';
const PARTS = 'side-parts';

/** In characters, of up to three bytes each: a document holds 16 MB, and a call has a limit in time. */
const TEXT_LENGTH_MAX = 1_000_000;
/** A value whose parts are replaced during the read is read again. */
const READ_ATTEMPTS_MAX = 5;

export class MongoKeyValueStore extends KeyValueStore {
  private constructor(private readonly server: MongoServer) {
    super();
  }

  static async open(server: MongoServer): Promise<MongoKeyValueStore> {
    return server.run(async () => {
      await server.create(SIDE);
      await server.collection<SideDocument>(SIDE).createIndexes([{ key: { kind: 1, id: 1 }, name: 'kind' }]);
      return new MongoKeyValueStore(server);
    });
  }

  override async put(kind: string, id: string, value: JsonObject): Promise<void> {
    const text = JSON.stringify(value);
    const _id = idOf(kind, id);
    await this.server.run(async () => {
      const content = text.length <= TEXT_LENGTH_MAX ? { text } : { parts: await this.#writeParts(text) };
      await this.#removeParts(await this.#replace({ _id, kind, id, ...content }));
    });
  }

  override async get(kind: string, id: string): Promise<JsonObject | undefined> {
    return this.server.run(async () => {
      for (let attempt = 1; attempt <= READ_ATTEMPTS_MAX; attempt++) {
        const found = await this.#side().findOne({ _id: idOf(kind, id) });
        if (found === null) return undefined;
        const text = await this.#textOf(found);
        if (text !== undefined) return JSON.parse(text) as JsonObject;
      }
      throw new ReadStoreUnavailable(`A document of the kind ${kind} changes faster than it can be read.`);
    });
  }

  override async list(kind: string): Promise<readonly { readonly id: string; readonly value: JsonObject }[]> {
    return this.server.run(async () => {
      const found = await this.#side().findAll({ kind }, { sort: { id: 1 } });
      const listed: { readonly id: string; readonly value: JsonObject }[] = [];
      for (const document of found) {
        const text = await this.#textOf(document);
        const value = text === undefined ? await this.get(kind, document.id) : (JSON.parse(text) as JsonObject);
        if (value !== undefined) listed.push({ id: document.id, value });
      }
      return listed;
    });
  }

  override async remove(kind: string, id: string): Promise<void> {
    const _id = idOf(kind, id);
    await this.server.run(async () => {
      await this.#removeParts((await this.#side().findOneAndDelete({ _id }))?.parts);
    });
  }

  override async close(): Promise<void> {
    // The server connection is closed by the code that opened it.
  }

  #side(): ReturnType<typeof this.server.collection<SideDocument>> {
    return this.server.collection<SideDocument>(SIDE);
  }

  #parts(): ReturnType<typeof this.server.collection<SidePart>> {
    return this.server.collection<SidePart>(PARTS);
  }

  /** @returns the parts of the one before */
  async #replace(document: SideDocument): Promise<readonly string[] | undefined> {
    const { _id, ...replacement } = document;
    const replace = async (): Promise<readonly string[] | undefined> =>
      (await this.#side().findOneAndReplace({ _id }, replacement))?.parts;
    try {
      return await replace();
    } catch (error) {
      // Two calls found it missing; for the second one it exists now.
      if (!hasCode(error, DUPLICATE_KEY)) throw error;
      return replace();
    }
  }

  async #writeParts(text: string): Promise<string[]> {
    const parts: string[] = [];
    for (let at = 0; at < text.length; at += TEXT_LENGTH_MAX) {
      const _id = randomUUID();
      await this.#parts().insertOne({ _id, text: text.slice(at, at + TEXT_LENGTH_MAX) });
      parts.push(_id);
    }
    return parts;
  }

  async #removeParts(parts: readonly string[] = []): Promise<void> {
    if (parts.length > 0) await this.#parts().deleteMany({ _id: { $in: [...parts] } });
  }

  /** Undefined when its parts were replaced meanwhile. */
  async #textOf({ text, parts = [] }: SideDocument): Promise<string | undefined> {
    if (text !== undefined) return text;
    let whole = '';
    for (const _id of parts) {
      const part = await this.#parts().findOne({ _id });
      if (part === null) return undefined;
      whole += part.text;
    }
    return whole;
  }
}

function idOf(kind: string, id: string): string {
  return `${encodeURIComponent(kind)}/${id}`;
}
