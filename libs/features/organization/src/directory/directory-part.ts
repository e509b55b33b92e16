/** Place of an event in the log. */
export interface LogPoint {
  readonly position: number;
  /** ID of the newest message sent before it; 0 before the first. */
  readonly lastMessageId: number;
}

/** One handler per event type of a union: an event type without a handler does not compile. */
export type Handlers<Event extends { readonly type: string }> = {
  readonly [Type in Event['type']]: (event: Extract<Event, { readonly type: Type }>, at: LogPoint) => void;
};

/**
 * Runs the handler of the event's type.
 * @throws Error for an unknown type
 */
export function handle<Event extends { readonly type: string }>(
  handlers: Handlers<Event>,
  event: Event,
  at: LogPoint,
): void {
  const type: Event['type'] = event.type;
  if (!Object.hasOwn(handlers, type)) throw new Error(`The directory has no handler for events of type ${type}.`);
  // The compiler does not relate the type of a union's element to the element itself.
  (handlers[type] as (event: Event, at: LogPoint) => void)(event, at);
}
