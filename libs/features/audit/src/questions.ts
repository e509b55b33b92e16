import { Injectable } from '@nestjs/common';
import { EventStore } from '#event-store';
import { Clock } from '#kernel';
import { MessagesReader } from '#messages';
import { Directory } from '#people';
import { Acts } from './acts/acts.js';
import { ActsReader } from './acts/acts.reader.js';
import { AuditCalls } from './calls/audit-calls.js';
import { ExportCandidates } from './export/export-candidates.js';
import { ExportRows } from './export/export-rows.js';
import { AnswerLog } from './log/answer-log.js';
import { MessageEvents } from './messages/message-events.js';
import { MessageStory } from './messages/message-story.js';
import { Changes } from './organization/changes.js';
import { PartsAsOf } from './organization/parts-as-of.js';
import { SettingsOverTime } from './organization/settings-over-time.js';
import { Moments } from './past/moments.js';
import { KeptDirectory, PastDirectory } from './past/past-directory.js';
import { PlacesReader } from './places/places.reader.js';
import { Readers } from './readers/readers.js';
import { DeletionsReader } from './search/deletions.reader.js';
import { Search } from './search/search.js';
import { WordingsReader } from './search/wordings.reader.js';
import { SignIns, SignInsReader } from './sign-ins/sign-ins.js';
import { TopicAsOf } from './topics/topic-as-of.js';

/** What answers the questions of one call, from a log of its own. */
export interface Answers {
  readonly log: AnswerLog;
  readonly messages: MessageStory;
  readonly topics: TopicAsOf;
  readonly parts: PartsAsOf;
  readonly settings: SettingsOverTime;
  readonly readers: Readers;
  readonly search: Search;
  readonly acts: Acts;
  readonly signIns: SignIns;
  readonly exported: ExportRows;
}

/** Makes what answers a call: the damage that it meets is that of its answer. */
@Injectable()
export class Questions {
  constructor(
    private readonly directory: Directory,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly calls: AuditCalls,
    private readonly kept: KeptDirectory,
    private readonly messages: MessagesReader,
    private readonly places: PlacesReader,
    private readonly acts: ActsReader,
    private readonly signIns: SignInsReader,
    private readonly wordings: WordingsReader,
    private readonly deletions: DeletionsReader,
  ) {}

  answers(): Answers {
    const { directory, places, messages, wordings, deletions } = this;
    const log = new AnswerLog(this.store);
    const moments = new Moments(this.store);
    const past = new PastDirectory(log, moments, directory, this.kept);
    const events = new MessageEvents(log, places);
    const stories = new MessageStory(directory, events);
    const changes = new Changes(directory, log, places);
    const candidates = new ExportCandidates(log, new AnswerLog(this.store), messages, places, wordings, deletions);
    return {
      log,
      messages: stories,
      topics: new TopicAsOf(directory, log, messages, places, events, moments),
      parts: new PartsAsOf(directory, past, moments, changes),
      settings: new SettingsOverTime(directory, changes),
      readers: new Readers(directory, past, moments, changes, events),
      search: new Search(directory, messages, events, wordings, deletions),
      acts: new Acts(directory, log, messages, events, this.acts, deletions, moments),
      signIns: new SignIns(directory, log, this.signIns),
      exported: new ExportRows(
        ...([directory, log, this.calls, candidates, events, stories, places, moments, past, this.clock] as const),
      ),
    };
  }
}
