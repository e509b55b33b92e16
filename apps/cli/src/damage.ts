import {
  type Damage,
  damageLine,
  type EventStore,
  ObservedEventStore,
  type ReadAllOptions,
  type RecordedEvent,
} from '#event-store';

/** Exit code of a command that has met damaged or missing records, and has done the rest of its work. */
export const DAMAGE_EXIT_CODE = 3;

/** Names each damaged record once, in a line. */
export class DamageReport {
  #count = 0;
  readonly #known = new Set<string>();

  constructor(private readonly tell: (line: string) => void) {}

  /** Number of records, those that are missing included. */
  get count(): number {
    return this.#count;
  }

  readonly add = (damage: Damage): void => {
    const { position, through = position } = damage;
    // One record may be damaged in several ways: the first is told.
    const key = `${position}-${through}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#count += through - position + 1;
    this.tell(damageLine(damage));
  };
}

/** A log whose readers go on behind damage, which is told of. It does not grow. */
export class PastDamage extends ObservedEventStore {
  constructor(
    inner: EventStore,
    private readonly onDamage: (damage: Damage) => void,
  ) {
    super(inner, (_, call) => call());
  }

  override readAll(options: ReadAllOptions): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
    return super.readAll({ ...options, onDamage: this.onDamage });
  }

  // eslint-disable-next-line require-yield -- nothing is recorded here any more
  override async *subscribe({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<never, void, undefined> {
    if (!signal.aborted) await new Promise((end) => signal.addEventListener('abort', end, { once: true }));
  }
}
