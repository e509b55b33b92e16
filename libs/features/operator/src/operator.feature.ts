import { defineFeature, PendingWork } from '#feature';
import { GroupsController } from './groups.controller.js';
import { PendingFollowUps } from './pending-follow-ups.js';
import { PendingController } from './pending.controller.js';
import { PeopleController } from './people.controller.js';
import { QueuesController } from './queues.controller.js';

/** What the operator of the server sees and does with a running server. */
export const operating = defineFeature({
  name: 'operator',
  additions: [{ to: PendingWork, items: [PendingFollowUps] }],
  controllers: [GroupsController, PendingController, PeopleController, QueuesController],
});
