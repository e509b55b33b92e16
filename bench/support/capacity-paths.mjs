// The ways of requests through a deployment, as stages of `queueing.mjs`, from constants that were measured (docs/capacity.md tells where).
// CPU is in ms of a core, of which `ms` is spent once for a group, and `eachMs` for each request of it.

const SLICE_MS = 10;

/** On files: one process, one sync of the disk for all appends that wait together, and one batch of projections at a time. */
export const EMBEDDED = {
  /** Of a send, and of a group that is appended and projected together: fitted to CPU a send with 16 clients, and at 500/s. */
  eachMs: 0.145,
  groupMs: 0.93,
  syncMs: 1.1,
  deliveryMs: 0.08,
  readMs: 2.7,
};

/** Real servers on the same machine. Calls are measured one at a time, what they cost the servers is fitted to CPU a send at 200/s. */
export const STORES = {
  appendMs: 2,
  findMs: 0.5,
  insertMs: 2,
  tailMs: 0.85,
  /** On its way there and back, where they are on other machines. */
  networkMs: 0,
  /** Of a command, and of an append with its ways to the subscriptions. */
  mongoMs: 0.38,
  logMs: 1.7,
  /** Of each message in them: not measured apart. */
  mongoEachMs: 0.2,
  logEachMs: 0.2,
};

/** The api and the projector of today on shared stores. */
export const SHARED = {
  apiEachMs: 0.3,
  projectorEachMs: 0.16,
  /** Of a group: all calls of an api, and a projector's batch with its documents. */
  apiGroupMs: 2,
  projectorGroupMs: 1.8,
  deliveryMs: 0.08,
  readMs: 2.7,
};

/** The ones that were measured with real servers, on their path: fitted to CPU a send at 200/s. */
export const FORMER = { ...SHARED, apiGroupMs: 3, projectorGroupMs: 6 };

export function embedded({ eachMs, groupMs, syncMs, deliveryMs, readMs }, { receivers = 0 } = {}) {
  const server = 'server';
  const paths = {
    send: [
      { on: server, ms: 0.6 * eachMs },
      { gate: 'append', steps: [{ on: server, ms: 0.5 * groupMs }, { wait: syncMs }] },
      { gate: 'project', steps: [{ on: server, ms: 0.5 * groupMs, eachMs: 0.2 * eachMs }] },
      { on: server, ms: 0.2 * eachMs },
      ...deliveries(server, receivers, deliveryMs),
    ],
    read: [{ on: server, ms: readMs }],
    small: [{ on: server, ms: deliveryMs }],
  };
  return [paths];
}

/** Calls to the stores, each as long as it takes alone. The store works for a part of that time. */
function callsTo(stores) {
  const call = (on, workMs, takesMs, eachMs = 0) => [
    { on, ms: Math.min(workMs, takesMs), eachMs },
    { wait: Math.max(0, takesMs - workMs) + stores.networkMs },
  ];
  return {
    mongo: (takesMs, eachMs) => call('mongo', stores.mongoMs, takesMs, eachMs),
    append: () => [
      { aside: [{ on: 'log', ms: 0.5 * stores.logMs }] },
      ...call('log', 0.5 * stores.logMs, stores.appendMs, stores.logEachMs),
    ],
    unwaited: (commands) => ({
      aside: Array.from({ length: commands }, () => ({ on: 'mongo', ms: stores.mongoMs })),
    }),
  };
}

/** In slices, between which others are served; and then these clients poll again, together. */
function deliveries(on, receivers, ms, poll = []) {
  if (receivers === 0) return [];
  const slices = Math.ceil((receivers * ms) / SLICE_MS);
  return [{ aside: [...Array.from({ length: slices }, () => ({ on, ms: (receivers * ms) / slices })), ...poll] }];
}

/**
 * Today: four calls wait for one another, and documents are written while the next batch is decided.
 * @param receivers of a message, at all apis together
 */
export function shared(stores, own, { apis = ['api'], receivers = 0 } = {}) {
  const { mongo, append, unwaited } = callsTo(stores);
  const work = (on, ms, eachMs = 0) => ({ on, ms, eachMs });
  const barrier = (api) => ({
    gate: `${api} barrier`,
    steps: [work(api, 0.2 * own.apiGroupMs), ...mongo(stores.findMs)],
  });
  const documents = [
    work('projector', 0.5 * own.projectorGroupMs),
    ...mongo(stores.insertMs, 0.5 * stores.mongoEachMs),
    ...[1, 2, 3].flatMap(() => mongo(stores.insertMs)),
  ];
  const journal = [
    work('projector', 0.5 * own.projectorGroupMs, own.projectorEachMs),
    ...mongo(stores.insertMs, 0.5 * stores.mongoEachMs),
    { aside: [{ gate: 'documents', steps: documents }] },
  ];
  const signal = [unwaited(apis.length + 1), ...mongo(stores.tailMs)];
  const heard = (api) => ({
    gate: `${api} tail`,
    steps: [work(api, 0.5 * own.apiGroupMs, 0.2 * own.apiEachMs)],
  });
  return apis.map((api) => ({
    send: [
      work(api, 0.6 * own.apiEachMs),
      barrier(api),
      { gate: `${api} append`, steps: [work(api, 0.3 * own.apiGroupMs), ...append()] },
      { gate: 'journal', steps: journal },
      { gate: 'signal', steps: signal },
      // Each api takes in every message.
      ...apis.filter((other) => other !== api).map((other) => ({ aside: [heard(other)] })),
      heard(api),
      ...apis.flatMap((each) => deliveries(each, receivers / apis.length, own.deliveryMs, [barrier(each)])),
      work(api, 0.2 * own.apiEachMs),
    ],
    read: [barrier(api), work(api, own.readMs), ...mongo(stores.findMs), ...mongo(stores.findMs)],
    small: [barrier(api), work(api, own.deliveryMs)],
  }));
}

/** As real servers were last measured: eleven calls wait for one another, and a batch for all that the last one has to do. */
export function former(stores, own) {
  const { mongo, append, unwaited } = callsTo(stores);
  const part = (share) => ({ on: 'api', ms: share * own.apiGroupMs });
  const projector = (share, eachMs = 0) => ({ on: 'projector', ms: share * own.projectorGroupMs, eachMs });
  const batch = [
    projector(0.3, own.projectorEachMs),
    ...mongo(stores.findMs),
    ...mongo(stores.findMs),
    projector(0.3),
    ...mongo(stores.insertMs, 0.5 * stores.mongoEachMs),
    unwaited(2),
    projector(0.2),
    ...mongo(stores.insertMs, 0.5 * stores.mongoEachMs),
    ...mongo(stores.insertMs),
    projector(0.2),
    unwaited(4),
    ...mongo(stores.tailMs),
  ];
  const told = [part(0.3), ...mongo(stores.findMs), ...mongo(stores.findMs), part(0.3), ...mongo(stores.findMs)];
  return [
    {
      send: [
        { on: 'api', ms: 0.6 * own.apiEachMs },
        { gate: 'barrier', steps: [part(0.2), ...mongo(stores.findMs)] },
        { gate: 'append', steps: [part(0.2), ...append()] },
        { gate: 'journal', steps: batch },
        { gate: 'told', steps: told },
        { on: 'api', ms: 0.4 * own.apiEachMs },
      ],
    },
  ];
}
