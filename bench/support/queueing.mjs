// Requests that go through stages: work on processes, which share cores; times that keep no core busy, such as a call on its way or a
// sync of a disk; and gates, where those that arrive while a group is under way wait, and go on together as the next one.
//   { on: 'api', ms: 0.2, eachMs }    work of a process; in a gate `eachMs` is added for each of the group
//   { wait: 2 }                       a time, half of it certain and half random
//   { gate: 'journal', steps: [...] } one group at a time takes these steps, all of it at once
//   { aside: [...] }                  goes its own way: nobody waits for it
import { hash } from './hash.mjs';
import { percentile } from './load.mjs';

/** A time-ordered queue of callbacks. Those of the same time run in the order in which they came. */
class Clock {
  now = 0;
  #heap = [];
  #count = 0;

  after(ms, run) {
    const heap = this.#heap;
    const entry = { at: this.now + ms, order: this.#count++, run };
    let index = heap.push(entry) - 1;
    for (let parent; index > 0 && isBefore(entry, heap[(parent = (index - 1) >> 1)]); index = parent)
      heap[index] = heap[parent];
    heap[index] = entry;
  }

  /** Runs all that is due until then. */
  runUntil(endMs) {
    while (this.#heap.length > 0 && this.#heap[0].at <= endMs) {
      const { at, run } = this.#pop();
      this.now = at;
      run();
    }
    this.now = endMs;
  }

  #pop() {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return first;
    let index = 0;
    for (let child; (child = 2 * index + 1) < heap.length; index = child) {
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child += 1;
      if (!isBefore(heap[child], last)) break;
      heap[index] = heap[child];
    }
    heap[index] = last;
    return first;
  }
}

const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Processes that share cores, first come, first served; each works on as many things at once as it has threads. */
class Machine {
  #free;
  #waiting = [];

  constructor(clock, cores, threads) {
    this.clock = clock;
    this.#free = cores;
    this.idle = { ...threads };
    this.busyMs = Object.fromEntries(Object.keys(threads).map((name) => [name, 0]));
  }

  work(name, ms, done) {
    this.#waiting.push({ name, ms, done });
    this.#next();
  }

  #next() {
    for (let index = 0; this.#free > 0 && index < this.#waiting.length;) {
      const { name, ms, done } = this.#waiting[index];
      if (this.idle[name] === 0) {
        index += 1;
        continue;
      }
      this.#waiting.splice(index, 1);
      this.#free -= 1;
      this.idle[name] -= 1;
      this.busyMs[name] += ms;
      this.clock.after(ms, () => {
        this.#free += 1;
        this.idle[name] += 1;
        done();
        this.#next();
      });
    }
  }
}

/**
 * @param machines by name: its cores, and the threads of each process that runs there
 * @param flows what comes in: `stages`, and either `perSecond`, at random times or `regular` ones, or `clients`, each of which sends its next request when it has an answer
 * @returns by flow: requests a second, and how long they took in ms; by process: cores it keeps busy; by gate: mean size of a group
 */
export function simulate({ machines, flows, seconds = 20, warmupSeconds = 2, seed = 1 }) {
  const clock = new Clock();
  let drawn = 0;
  const random = () => hash(drawn++, seed) / 2 ** 32;
  const hosts = machines.map(({ cores, threads }) => new Machine(clock, cores, threads));
  const hostOf = Object.fromEntries(hosts.flatMap((host) => Object.keys(host.idle).map((name) => [name, host])));
  const walk = new Walk(clock, random, hostOf);
  const latencies = Object.fromEntries(flows.map(({ name }) => [name, []]));
  const startMs = warmupSeconds * 1000;
  for (const { name, stages, perSecond, regular = false, clients = 0 } of flows) {
    const send = (after) => {
      const beganMs = clock.now;
      walk.take(stages, 1, () => {
        if (beganMs >= startMs) latencies[name].push(clock.now - beganMs);
        after?.();
      });
    };
    for (let client = 0; client < clients; client++) clock.after(client / 10, () => repeat(send));
    if (perSecond > 0) arrive(clock, () => (regular ? 1 : -Math.log(1 - random())) / perSecond, send);
  }
  clock.runUntil(startMs);
  const before = hosts.map(({ busyMs }) => ({ ...busyMs }));
  walk.groups.clear();
  clock.runUntil(startMs + seconds * 1000);
  const busy = hosts.flatMap(({ busyMs }, index) =>
    Object.entries(busyMs).map(([name, ms]) => [name, (ms - before[index][name]) / (seconds * 1000)]),
  );
  return {
    flows: Object.fromEntries(Object.entries(latencies).map(([name, took]) => [name, summary(took, seconds)])),
    busy: Object.fromEntries(busy),
    groups: Object.fromEntries(Array.from(walk.groups, ([name, { count, members }]) => [name, members / count])),
  };
}

function repeat(send) {
  send(() => repeat(send));
}

function arrive(clock, secondsToNext, send) {
  const next = () => {
    clock.after(1000 * secondsToNext(), () => {
      send();
      next();
    });
  };
  next();
}

function summary(took, seconds) {
  took.sort((a, b) => a - b);
  const mean = took.reduce((sum, ms) => sum + ms, 0) / took.length;
  return { perSecond: took.length / seconds, mean, p50: percentile(took, 0.5), p99: percentile(took, 0.99) };
}

class Walk {
  /** By gate: number of groups, and of their members. */
  groups = new Map();
  #gates = new Map();

  constructor(clock, random, hostOf) {
    this.clock = clock;
    this.random = random;
    this.hostOf = hostOf;
  }

  /** Goes through all stages, as so many at once. */
  take(stages, size, done, index = 0) {
    const stage = stages[index];
    if (stage === undefined) {
      done();
      return;
    }
    const next = () => this.take(stages, size, done, index + 1);
    if (stage.on !== undefined) {
      this.hostOf[stage.on].work(stage.on, (stage.ms ?? 0) + (stage.eachMs ?? 0) * size, next);
    } else if (stage.wait !== undefined) {
      this.clock.after(stage.wait * (0.5 - 0.5 * Math.log(1 - this.random())), next);
    } else if (stage.aside !== undefined) {
      this.take(stage.aside, size, () => undefined);
      next();
    } else {
      this.#pass(stage, size, next);
    }
  }

  #pass(stage, size, next) {
    let gate = this.#gates.get(stage.gate);
    if (gate === undefined) this.#gates.set(stage.gate, (gate = { isOpen: true, waiting: [] }));
    gate.waiting.push({ size, next });
    if (gate.isOpen) this.#open(stage, gate);
  }

  #open(stage, gate) {
    const group = gate.waiting;
    if (group.length === 0) return;
    gate.waiting = [];
    gate.isOpen = false;
    const members = group.reduce((sum, { size }) => sum + size, 0);
    const counted = this.groups.get(stage.gate) ?? { count: 0, members: 0 };
    this.groups.set(stage.gate, { count: counted.count + 1, members: counted.members + members });
    this.take(stage.steps, members, () => {
      gate.isOpen = true;
      this.#open(stage, gate);
      for (const { next } of group) next();
    });
  }
}
