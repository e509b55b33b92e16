import type { Call } from './calls.js';

/** A call of a chain, as one step that takes from the begin of what it waited for until its answer arrived. */
export interface Step {
  readonly call: Call;
  /** The write of another call that the answer tells of. */
  readonly toldOf?: Call;
}

interface Link extends Step {
  /** The process that began it. */
  readonly from: string;
  readonly beganMs: number;
}

/**
 * The longest chain of calls between a request and its answer of which each may have waited for the one before. Nobody can see
 * why a process begins a call, but when: what it knew then were the answers that it had. So a call waits at most for calls that
 * had ended in the same process. A process learns of a write of another one by reading where that one wrote: the write with its
 * way to the reader is one step, from the begin of the write until the reader's answer, however often or long the reader asked (a
 * subscription, a tail, a poll). The chain ends at the process that answers the request.
 *
 * The chain of calls that the request needed is one of those, so the result is never too short. It is too long where
 * calls that nobody waited for happen to fit between others. With a delay of all calls that exceeds the work between them few do,
 * and the shortest result of several requests has none.
 * @param roundTripMs what a call takes at least: a read that ends sooner after a write began does not tell of it
 */
export function longestChain(
  calls: readonly Call[],
  process: string,
  fromMs: number,
  untilMs: number,
  roundTripMs = 0,
): readonly Step[] {
  const links = calls
    .filter(({ endedMs }) => endedMs >= fromMs && endedMs <= untilMs)
    .flatMap((call) => linksOf(call, calls, fromMs, roundTripMs))
    .sort((a, b) => a.call.endedMs - b.call.endedMs);
  const chains: (readonly Link[])[] = [];
  for (const [index, link] of links.entries()) {
    let before: readonly Link[] = [];
    for (const [earlier, { call }] of links.slice(0, index).entries()) {
      const chain = chains[earlier] ?? [];
      if (call.process === link.from && call.endedMs <= link.beganMs && chain.length > before.length) before = chain;
    }
    chains.push([...before, link]);
  }
  let longest: readonly Link[] = [];
  for (const chain of chains) {
    if (chain.at(-1)?.call.process === process && chain.length > longest.length) longest = chain;
  }
  return longest.map(({ call, toldOf }) => ({ call, ...(toldOf !== undefined && { toldOf }) }));
}

function linksOf(call: Call, calls: readonly Call[], fromMs: number, roundTripMs: number): readonly Link[] {
  const links: Link[] = [];
  // A subscription's message was not asked for: it always tells of a write.
  const isAsked = call.name !== 'subscription';
  if (isAsked && call.beganMs >= fromMs) links.push({ call, from: call.process, beganMs: call.beganMs });
  if (call.kind !== 'read' || call.isEmpty) return links;
  let toldOf: Call | undefined;
  for (const write of calls) {
    if (write.kind !== 'write' || write.store !== call.store || write.place !== call.place) continue;
    if (write.beganMs < fromMs || write.beganMs >= call.endedMs - roundTripMs) continue;
    if (isAsked && write.process === call.process) continue;
    if (toldOf === undefined || write.beganMs > toldOf.beganMs) toldOf = write;
  }
  if (toldOf !== undefined) links.push({ call, toldOf, from: toldOf.process, beganMs: toldOf.beganMs });
  return links;
}
