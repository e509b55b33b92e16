import { Injectable } from '@nestjs/common';
import { EventStore, streams } from '#event-store';
import { Mutex, Slices } from '#kernel';
import { Directory } from '#people';
import type { Moment } from '../moment.js';
import { Moments } from './moments.js';

const PAGE = 200;
/** An auditor mostly asks several questions about one moment. */
const KEPT_FOR_MS = 60_000;

interface Kept {
  readonly revision: number;
  readonly directory: Directory;
}

/**
 * The organization as it was: users, groups, channels and settings, replayed from its stream in slices. Which messages a subscription
 * covers is not known from that stream alone: the spans of the current directory tell it.
 */
@Injectable()
export class PastDirectory {
  readonly #mutex = new Mutex();
  #kept: Kept | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly moments: Moments,
    private readonly directory: Directory,
  ) {}

  /** The current directory for now, which goes on to change. */
  async at(moment: Moment): Promise<Directory> {
    if (moment.kind === 'now') return this.directory;
    const revision = await this.moments.lastRevision(streams.organization, moment);
    return this.#mutex.run(async () => {
      if (this.#kept?.revision === revision) return this.#kept.directory;
      const directory = await this.#replayed(revision);
      this.#keep({ revision, directory });
      return directory;
    });
  }

  async #replayed(revision: number): Promise<Directory> {
    const directory = new Directory();
    const slices = new Slices();
    for (let from = 0; from <= revision; from += PAGE) {
      const limit = Math.min(PAGE, revision + 1 - from);
      for (const event of await this.store.readStream(streams.organization, { from, limit })) {
        if (directory.handles(event.type)) directory.apply(event);
        if (slices.isOver) await slices.next();
      }
    }
    return directory;
  }

  #keep(kept: Kept): void {
    this.#kept = kept;
    setTimeout(() => {
      if (this.#kept === kept) this.#kept = undefined;
    }, KEPT_FOR_MS).unref();
  }
}
