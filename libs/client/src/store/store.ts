/** A part of a store's state, as views want it: `useSyncExternalStore(part.subscribe, part.get)`. */
export interface Selected<T> {
  readonly get: () => T;
  /** @returns ends the subscription */
  readonly subscribe: (listener: () => void) => () => void;
}

/** One immutable value and who looks at it. Listeners are called after each change, selectors only after one of what they select. */
export class Store<S> {
  #state: S;
  readonly #listeners = new Set<() => void>();
  #isTelling = false;

  constructor(state: S) {
    this.#state = state;
  }

  readonly get = (): S => this.#state;

  /** Listeners hear of changes in the same turn once, after the last of them. */
  set(state: S): void {
    if (state === this.#state) return;
    this.#state = state;
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      // Each in a task of its own: one that throws keeps no other from hearing.
      for (const listener of this.#listeners) queueMicrotask(listener);
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /**
   * A part that is computed again only when the state has changed, and is told only when it is another one.
   * @param isSame whether two outcomes are one for the view
   */
  select<T>(selector: (state: S) => T, isSame: (a: T, b: T) => boolean = Object.is): Selected<T> {
    let known: { readonly of: S; readonly value: T } | undefined;
    const get = (): T => {
      const state = this.#state;
      if (known?.of === state) return known.value;
      const value = selector(state);
      known = { of: state, value: known !== undefined && isSame(known.value, value) ? known.value : value };
      return known.value;
    };
    const subscribe = (listener: () => void): (() => void) => {
      let last = get();
      return this.subscribe(() => {
        const value = get();
        if (Object.is(value, last)) return;
        last = value;
        listener();
      });
    };
    return { get, subscribe };
  }
}
