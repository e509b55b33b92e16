import type { Spans } from '#kernel';
import type { EndingSteps } from './ending.js';
import type { Metrics } from './metrics/metrics.js';

/** What watches the server from inside; empty when the operator asked for nothing, and then nothing is counted. */
export interface Observers {
  readonly metrics?: Metrics | undefined;
  readonly spans?: Spans | undefined;
  readonly ending?: EndingSteps | undefined;
}
