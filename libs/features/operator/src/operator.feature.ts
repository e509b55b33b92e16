import { defineFeature, PendingWork } from '#feature';
import { EventsController } from './events/events.controller.js';
import { GroupsController } from './groups.controller.js';
import { PendingFollowUps } from './pending-follow-ups.js';
import { PendingController } from './pending.controller.js';
import { PeopleController } from './people.controller.js';
import { QueuesController } from './queues.controller.js';
import { RecordRepairs } from './repairs/record-repairs.js';
import { LogStatistics } from './stats/log-statistics.js';
import { StatsController } from './stats/stats.controller.js';
import { logRepaired } from './repairs/repair.events.js';

/** What the operator of the server sees and does with a running server. */
export const operating = defineFeature({
  name: 'operator',
  events: [logRepaired],
  providers: [RecordRepairs],
  work: [LogStatistics],
  additions: [{ to: PendingWork, items: [PendingFollowUps] }],
  controllers: [
    EventsController,
    GroupsController,
    PendingController,
    PeopleController,
    QueuesController,
    StatsController,
  ],
});
