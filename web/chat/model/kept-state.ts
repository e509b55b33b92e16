/**
 * The last state of an account, and the messages that the reader had open, in the browser's IndexedDB: the next start shows them at once,
 * and then brings them up to date. They are kept for the session in which they were read, and go with it.
 */
import {
  type MessagePage,
  NO_WINDOWS,
  type Registered,
  registeredOf,
  type State,
  type Windows,
  opened,
  withPage,
} from '#client';
import type { Term } from './narrow.js';
import { sessionMark } from './session-mark.js';

const DATABASE = 'scrollback';
const STORE = 'states';
/** Larger states are not kept: reading them would take as long as asking for them. In UTF-16 code units. */
const STATE_LENGTH_MAX = 4_000_000;
/** Of all messages together; those of conversations that were open longest ago are left out. In UTF-16 code units. */
const PAGES_LENGTH_MAX = 1_500_000;
/** A browser that does not answer in this time is not waited for. */
const PATIENCE_MS = 2_000;
const SAVE_EVERY_MS = 2_000;
/** Making the texts takes no more than this part of the time. */
const WORK_PART = 0.01;
/** A machine that was busy with something else meanwhile is no reason to wait longer. */
const PAUSE_MAX_MS = 30_000;
/** Keys of bots act for them, and the page can ask for them. */
const SECRET_FIELD = 'realm_bots';

interface Entry {
  /** Of the page that kept it: another version may expect other fields. */
  readonly version: string;
  /** Of the session in which it was kept; empty where the server gives none. */
  readonly mark: string;
  readonly text: string;
  readonly pages: readonly string[];
}

/** Messages of a narrow, in the form of an answer of `GET /messages`. */
export interface KeptPage {
  readonly narrow: readonly Term[];
  readonly page: MessagePage;
}

/** What an earlier visit has left. */
export interface Kept {
  readonly state: Registered;
  readonly pages: readonly KeptPage[];
}

/** What is to be kept. */
export interface Keepable {
  readonly state: State;
  /** Another value is another set of messages. */
  readonly windows: unknown;
  /** Messages by conversation, the last used first. */
  readonly pages: () => readonly KeptPage[];
  /** `sessionMark` when the server has confirmed the state. */
  readonly mark: string;
}

/** What changes with each build: the name of the script. */
const version = (): string => document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '';

/**
 * For an account that the server has named.
 * @returns undefined where there is none, and where the browser keeps nothing
 */
export async function loadKept(meId: number): Promise<Kept | undefined> {
  const kept = keptIn(await within((store) => store.get(meId), 'readonly'));
  // Another one is written by somebody else than this page.
  return kept?.state.user_id === meId ? kept : undefined;
}

/** @param pages the last used first: it becomes the last used window */
export const windowsOf = (pages: readonly KeptPage[], state: State): Windows =>
  pages.reduceRight(
    (windows, { narrow, page }) => withPage(opened(windows, narrow), narrow, page, { state, since: [] }),
    NO_WINDOWS,
  );

/** Without the server, which cannot say who is signed in: of this very session, or nothing. */
export async function loadKeptHere(): Promise<Kept | undefined> {
  const mark = sessionMark();
  if (mark === '') return undefined;
  const all = ((await within((store) => store.getAll(), 'readonly')) ?? []) as readonly Partial<Entry>[];
  return keptIn(all.find((entry) => entry.mark === mark));
}

function keptIn(entry: unknown): Kept | undefined {
  const { version: made, text, pages = [] } = (entry ?? {}) as Partial<Entry>;
  if (made !== version() || text === undefined) return undefined;
  try {
    return { state: JSON.parse(text) as Registered, pages: pages.map((page) => JSON.parse(page) as KeptPage) };
  } catch {
    return undefined;
  }
}

let isLeft = false;
const leaving = new BroadcastChannel('scrollback-leaving');
leaving.onmessage = () => void forgetForGood();

/** When the reader leaves: of all accounts. Until they are loaded again, the page and those in other tabs keep nothing more. */
export async function leaveNothing(): Promise<void> {
  leaving.postMessage(undefined);
  await forgetForGood();
}

async function forgetForGood(): Promise<void> {
  isLeft = true;
  await forgetKept();
}

/** When nobody is signed in: of all accounts. */
export async function forgetKept(): Promise<void> {
  await within((store) => store.clear(), 'readwrite');
}

/**
 * Keeps the state soon after each change, and when the page is hidden: one that is left has no time to write.
 * @param keepable undefined while there is nothing that the server has confirmed
 * @returns keeps it now: what the reader has lost does not stay
 */
export function keepState(meId: number, keepable: () => Keepable | undefined): () => void {
  let saved: Keepable | undefined;
  let notBeforeMs = 0;
  const save = (): void => {
    const startedMs = performance.now();
    if (startedMs < notBeforeMs) return;
    const now = keepable();
    // Somebody else may have signed in with this browser since.
    if (now === undefined || isLeft || now.mark !== sessionMark()) return;
    if (now.state === saved?.state && now.windows === saved.windows) return;
    saved = now;
    const { [SECRET_FIELD]: _secret, ...state } = registeredOf(now.state);
    const text = JSON.stringify(state);
    const entry: Entry = { version: version(), mark: now.mark, text, pages: fitting(now.pages()) };
    const endedMs = performance.now();
    notBeforeMs = endedMs + Math.min((endedMs - startedMs) / WORK_PART, PAUSE_MAX_MS);
    // That of another account, which used this browser before, goes.
    void within((store) => {
      const cleared = store.clear();
      return text.length > STATE_LENGTH_MAX ? cleared : store.put(entry, meId);
    }, 'readwrite');
  };
  setInterval(save, SAVE_EVERY_MS);
  const saveNow = (): void => {
    notBeforeMs = 0;
    save();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') saveNow();
  });
  addEventListener('pagehide', saveNow);
  return saveNow;
}

function fitting(pages: readonly KeptPage[]): readonly string[] {
  const texts: string[] = [];
  let left = PAGES_LENGTH_MAX;
  for (const page of pages) {
    const text = JSON.stringify(page);
    left -= text.length;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
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
