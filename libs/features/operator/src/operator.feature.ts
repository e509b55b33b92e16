import { defineFeature } from '#feature';
import { GroupsController } from './groups.controller.js';
import { PeopleController } from './people.controller.js';
import { QueuesController } from './queues.controller.js';

/** What the operator of the server sees and does with a running server. */
export const operating = defineFeature({
  name: 'operator',
  controllers: [PeopleController, GroupsController, QueuesController],
});
