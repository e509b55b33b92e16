/**
 * Makes a call, and observes how long it takes and whether it fails. The outcome is that of the call.
 * @param kind of the call, one of few
 */
export type CallProbe = <Result>(kind: string, call: () => Promise<Result>) => Promise<Result>;
