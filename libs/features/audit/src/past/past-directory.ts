import { Injectable } from '@nestjs/common';
import { streams } from '#event-store';
import { Mutex, Slices } from '#kernel';
import { Directory } from '#people';
import type { AnswerLog } from '../log/answer-log.js';
import type { Moment } from '../moment.js';
import { eventsOf } from '../pages.js';
import { Moments } from './moments.js';

const PAGE = 200;
/** An auditor mostly asks several questions about one moment. */
const KEPT_FOR_MS = 60_000;

interface Kept {
  readonly revision: number;
  readonly directory: Directory;
}

/** The organization as it was at the moment that was asked for last. */
@Injectable()
export class KeptDirectory {
  readonly mutex = new Mutex();
  #kept: Kept | undefined;

  at(revision: number): Directory | undefined {
    return this.#kept?.revision === revision ? this.#kept.directory : undefined;
  }

  keep(kept: Kept): void {
    this.#kept = kept;
    setTimeout(() => {
      if (this.#kept === kept) this.#kept = undefined;
    }, KEPT_FOR_MS).unref();
  }
}

/**
 * The organization as it was: users, groups, channels and settings, replayed from its stream in slices. Which messages a subscription
 * covers is not known from that stream alone: the spans of the current directory tell it.
 */
export class PastDirectory {
  constructor(
    private readonly log: AnswerLog,
    private readonly moments: Moments,
    private readonly directory: Directory,
    private readonly kept: KeptDirectory,
  ) {}

  /** The current directory for now, which goes on to change. */
  async at(moment: Moment): Promise<Directory> {
    if (moment.kind === 'now') return this.directory;
    const revision = await this.moments.lastRevision(streams.organization, moment);
    return this.kept.mutex.run(async () => {
      const kept = this.kept.at(revision);
      if (kept !== undefined) return kept;
      const directory = await this.#replayed(revision);
      // Another answer names damage that it has met itself.
      if (this.log.damages.every(({ stream }) => stream !== streams.organization))
        this.kept.keep({ revision, directory });
      return directory;
    });
  }

  async #replayed(revision: number): Promise<Directory> {
    const directory = new Directory();
    const slices = new Slices();
    for await (const event of eventsOf(this.log, streams.organization, PAGE, 0, revision)) {
      if (directory.handles(event.type)) directory.apply(event);
      if (slices.isOver) await slices.next();
    }
    return directory;
  }
}
