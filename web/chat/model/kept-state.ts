/** The last state of an account, in the browser's IndexedDB: the next start shows it at once, and then brings it up to date. */
import { type Registered, registeredOf, type State } from '#client';

const DATABASE = 'scrollback';
const STORE = 'states';
/** Larger states are not kept: reading them would take as long as asking for them. In UTF-16 code units. */
const LENGTH_MAX = 4_000_000;
/** A browser that does not answer in this time is not waited for. */
const PATIENCE_MS = 500;
const SAVE_EVERY_MS = 15_000;

interface Kept {
  /** Of the page that kept it: another version may expect other fields. */
  readonly version: string;
  readonly text: string;
}

/** What changes with each build: the name of the script. */
const version = (): string => document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '';

/** Undefined where there is none, and where the browser keeps nothing. */
export async function loadKept(meId: number): Promise<Registered | undefined> {
  const kept = await within((store) => store.get(meId), 'readonly');
  const { version: made, text } = (kept ?? {}) as Partial<Kept>;
  if (made !== version() || text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as Registered;
    // Written by somebody else than this page.
    return state.user_id === meId ? state : undefined;
  } catch {
    return undefined;
  }
}

/** After signing out, of all accounts. */
export async function forgetKept(): Promise<void> {
  await within((store) => store.clear(), 'readwrite');
}

/**
 * Keeps the state from time to time, and when the page is hidden.
 * @param state undefined while there is none that the server has confirmed
 */
export function keepState(meId: number, state: () => State | undefined): void {
  let saved: State | undefined;
  const save = (): void => {
    const now = state();
    if (now === undefined || now === saved) return;
    saved = now;
    const text = JSON.stringify(registeredOf(now));
    const kept: Kept = { version: version(), text };
    // That of another account, which used this browser before, goes.
    void within((store) => {
      const cleared = store.clear();
      return text.length > LENGTH_MAX ? cleared : store.put(kept, meId);
    }, 'readwrite');
  };
  setInterval(save, SAVE_EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') save();
  });
  addEventListener('pagehide', save);
}

/** Undefined where IndexedDB is forbidden, full, broken or too slow: the page then starts as if nothing had been kept. */
function within(act: (store: IDBObjectStore) => IDBRequest, mode: IDBTransactionMode): Promise<unknown> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(undefined);
    setTimeout(giveUp, PATIENCE_MS);
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onerror = giveUp;
      opening.onblocked = giveUp;
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      opening.onsuccess = () => {
        const { result: database } = opening;
        try {
          const transaction = database.transaction(STORE, mode);
          const request = act(transaction.objectStore(STORE));
          transaction.oncomplete = () => {
            database.close();
            resolve(request.result);
          };
          transaction.onabort = () => {
            database.close();
            giveUp();
          };
        } catch {
          database.close();
          giveUp();
        }
      };
    } catch {
      giveUp();
    }
  });
}
