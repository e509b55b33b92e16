import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { QueueSettings } from '#feed';
import { EventQueues } from '#feed';
import { Clock } from '#kernel';
import { MaxMessageIdQuery, RecentDirectConversations, StarredMessages, UnreadMessages } from '#messages';
import { Directory, Site, versionFields, type User } from '#organization';
import { FieldTexts } from './field-texts.js';
import { addChannels } from './fields/channel.fields.js';
import { addNothing } from './fields/empty.fields.js';
import { addGroups } from './fields/group.fields.js';
import { addPreferences } from './fields/preferences.fields.js';
import { addLinkifiers, addRealm } from './fields/realm.fields.js';
import { addSettings } from './fields/settings.fields.js';
import { addUsers } from './fields/user.fields.js';
import { StillReads } from './still-reads.js';
import type { Wanted } from './wanted.js';
import { can, wants } from './wanted.js';

/** What a client asked for. */
export interface RegistrationRequest {
  readonly settings: QueueSettings;
  /** Names of what to fetch; null = everything. */
  readonly fetchEventTypes: readonly string[] | null;
  readonly pronouns: boolean;
  /** Seconds; 0 for the default. */
  readonly lifespanSeconds: number;
}

/** Gives a client a queue and the state from which it goes on (specification, POST /register). */
@Injectable()
export class Registration {
  constructor(
    private readonly directory: Directory,
    private readonly site: Site,
    private readonly clock: Clock,
    private readonly queues: EventQueues,
    private readonly reads: StillReads,
    private readonly queries: QueryBus,
    private readonly unread: UnreadMessages,
    private readonly starred: StarredMessages,
    private readonly recent: RecentDirectConversations,
  ) {}

  /** The reply's fields as JSON text, in pieces. State and queue stand for the same position of the log. */
  async register(viewer: User, request: RegistrationRequest): Promise<readonly (string | Uint8Array)[]> {
    const { settings, fetchEventTypes, lifespanSeconds } = request;
    const wanted: Wanted = {
      directory: this.directory,
      viewer,
      settings,
      keys: fetchEventTypes === null ? null : new Set(fetchEventTypes),
      includeSubscribers: settings.includeSubscribers,
      pronouns: request.pronouns,
      siteUrl: this.site.url,
      nowMs: this.clock.nowMs(),
    };
    const { fields, registered } = await this.reads.still(async () => {
      const fields = await this.#state(wanted);
      return { fields, registered: this.queues.register(viewer, settings, lifespanSeconds) };
    });
    const queue = await registered;
    return fields
      .addAll({ queue_id: queue.queueId, last_event_id: queue.lastEventId, ...versionFields() })
      .add('idle_queue_timeout_secs', queue.lifespanSeconds)
      .pieces();
  }

  async #state(wanted: Wanted): Promise<FieldTexts> {
    const fields = new FieldTexts();
    await this.#addMessages(fields, wanted);
    addRealm(fields, wanted);
    addLinkifiers(fields, wanted);
    addUsers(fields, wanted);
    addGroups(fields, wanted);
    addChannels(fields, wanted);
    addSettings(fields, wanted);
    addPreferences(fields, wanted);
    addNothing(fields, wanted);
    return fields;
  }

  /** What the viewer has with messages (register.md §2 and §6). */
  async #addMessages(fields: FieldTexts, wanted: Wanted): Promise<void> {
    const { viewer } = wanted;
    if (wants(wanted, 'message')) {
      fields.add('max_message_id', await this.queries.execute(new MaxMessageIdQuery(viewer)));
    }
    if (wants(wanted, 'message') && wants(wanted, 'update_message_flags')) {
      const allowEmptyTopicName = can(wanted, 'empty_topic_name');
      fields.add('unread_msgs', await this.unread.of(viewer, { allowEmptyTopicName }));
    }
    if (wants(wanted, 'starred_messages')) fields.add('starred_messages', await this.starred.of(viewer));
    if (wants(wanted, 'recent_private_conversations')) {
      fields.add('recent_private_conversations', await this.recent.of(viewer));
    }
  }
}
