/** What a call is for, by process and name. */
const PURPOSES = {
  'api find journal': 'barrier: the newest entry',
  'api find state': 'how far documents are written',
  'api append': 'the log',
  'api subscription': 'the log',
  'projector subscription': 'the log',
  'api read': 'the log',
  'projector read': 'the head of the log',
  'projector insert journal-parts': 'operations of the batch',
  'projector insert journal': 'the batch is decided here',
  'projector update state': 'how far documents are written',
  'projector insert signals': 'tells the apis of the entry',
  'projector delete journal': 'applied entries',
  'projector delete journal-parts': 'applied entries',
};
const BY_PLACE = {
  signals: 'hears of entries',
  leases: 'the lease',
  side: 'records of processes',
  due_timers: 'what is due',
};

const purposeOf = ({ process, name, place, kind }) =>
  PURPOSES[`${process} ${name}`] ?? BY_PLACE[place] ?? (kind === 'other' ? '' : 'documents');

const TOGETHER_MS = 5;

/** A table of the calls of one request. The numbers are those of the longest chain; a dash marks what came after the answer. */
export function printTrace(calls, { fromMs, untilMs, chain }, settledMs) {
  const place = new Map(chain.map(({ call }, index) => [call, index + 1]));
  const seen = calls.filter(({ beganMs, endedMs }) => beganMs < untilMs + settledMs / 2 && endedMs >= fromMs);
  console.log('| In a row | At (ms) | Process | Store | Call | For |\n|---|---|---|---|---|---|');
  for (const call of together(seen.sort((a, b) => a.beganMs - b.beganMs || a.endedMs - b.endedMs))) {
    const { process, store, name, beganMs, endedMs, isEmpty } = call;
    const count = call.calls.length;
    const times = [...new Set([beganMs, endedMs].map((ms) => String(Math.round(ms - fromMs))))].join('–');
    const number = call.calls.map((one) => place.get(one)).find(Boolean) ?? (beganMs > untilMs ? '–' : '');
    const found = `${count > 1 ? `${count} × ` : ''}${name}${isEmpty ? ': nothing' : ''}`;
    console.log(`| ${[number, times, process, store, found, purposeOf(call)].join(' | ')} |`);
  }
  console.log(`\nAnswered at ${(untilMs - fromMs).toFixed(1)} ms.\n`);
}

/** Messages of a subscription that come together are one row. */
function together(calls) {
  const rows = [];
  const last = new Map();
  for (const call of calls) {
    const before = last.get(call.process);
    if (call.name === 'subscription' && before !== undefined && call.beganMs - before.endedMs < TOGETHER_MS) {
      before.calls.push(call);
      before.endedMs = call.endedMs;
      continue;
    }
    const row = { ...call, calls: [call] };
    rows.push(row);
    if (call.name === 'subscription') last.set(call.process, row);
  }
  return rows;
}

/** Number of calls by process and name. @param share the time that it counts, as a multiple of the one to compare it with */
export function countsBetween(calls, fromMs, untilMs, share) {
  const counts = new Map();
  for (const { process, store, name, beganMs } of calls) {
    if (beganMs < fromMs || beganMs >= untilMs) continue;
    const key = `${process} | ${store} | ${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1 / share);
  }
  return counts;
}

/** What each of so many requests adds to an idle deployment. */
export function printCounts(title, counts, idle, requests) {
  console.log(`${title}:\n\n| Process | Store | Call | Each |\n|---|---|---|---|`);
  const sums = new Map();
  for (const [key, count] of [...counts].sort(([, a], [, b]) => b - a)) {
    const each = (count - (idle.get(key) ?? 0)) / requests;
    const store = key.includes('MongoDB') ? 'MongoDB' : 'EventStoreDB';
    sums.set(store, (sums.get(store) ?? 0) + each);
    if (Math.abs(each) >= 0.005) console.log(`| ${key} | ${each.toFixed(2)} |`);
  }
  for (const [store, sum] of sums) console.log(`| both | ${store} | all | ${sum.toFixed(2)} |`);
  console.log('');
}
