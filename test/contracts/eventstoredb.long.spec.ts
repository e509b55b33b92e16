import { randomUUID } from 'node:crypto';
import { describeEventStore } from '../../libs/engine/event-store/src/event-store.contract.js';
import { EventStoreDbEventStore } from '../../libs/engine/event-store/src/eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { asStored } from './eventstoredb.fixture.js';

describeEventStore('EventStoreDB, the stand-in', async () => {
  const server = await EventStoreDbStandIn.start();
  return {
    open: (registry) => EventStoreDbEventStore.open(server.url, registry),
    seed: (stream, events) => {
      server.seed(stream, events.map(asStored));
    },
    restart: () => server.restart(),
    dispose: () => server.stop(),
  };
});

const { EVENT_STORE_URL } = process.env;
const isServer = EVENT_STORE_URL !== undefined && /^(?:esdb|kurrentdb)/.test(EVENT_STORE_URL);
(isServer ? describe : describe.skip)('a real server (needs EVENT_STORE_URL=esdb://…)', () => {
  describeEventStore('EventStoreDB', () => {
    // A server cannot be emptied, so each log has names of its own.
    const streamPrefix = `contract-${randomUUID().slice(0, 30)}`;
    return Promise.resolve({
      open: (registry) => EventStoreDbEventStore.open(EVENT_STORE_URL ?? '', registry, { streamPrefix }),
      dispose: () => Promise.resolve(),
    });
  });
});
