/** One polite region for screen readers: at most one line in three seconds. What the reader has done is seen as well, in a notice. */
import { type ReactNode, type SyntheticEvent, useEffect, useSyncExternalStore } from 'react';
import { words } from '../shared/words.js';
import classes from './announcer.module.css';
import { focusMain } from './focus-main.js';
import { placeKey, type TopicPlace } from './model/place.js';

const EVERY_MS = 3000;
const SEEN_MS = 5000;
/** What can be undone stays for longer: somebody has to read it, and to get there. */
const UNDO_MS = 15_000;

interface Notice {
  readonly text: string;
  readonly hash: string;
  readonly undo: (() => void) | undefined;
  /** Where the reader has moved a topic to. */
  readonly to: TopicPlace | undefined;
}

let aloud = '';
/** It ends with the view in which it was said. */
let notice: Notice | undefined;
let waiting: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let noticeTimer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** @param names senders of new messages in the open conversation, one per message */
export function announce(names: readonly string[]): void {
  if (names.length === 0) return;
  waiting.push(...names);
  timer ??= setTimeout(tellArrived, EVERY_MS);
}

function tellArrived(): void {
  timer = undefined;
  aloud = words.arrived(waiting.length, [...new Set(waiting)]);
  waiting = [];
  tell();
}

/**
 * Says something that the reader has just done, and shows it for a moment. Who leads them to another view does so before.
 * @param undo offered with it
 * @param to of a move, whose event may come later
 */
export function say(text: string, undo?: () => void, to?: TopicPlace): void {
  aloud = undo === undefined ? text : `${text} ${words.undoByKey}`;
  notice = { text, hash: location.hash, undo, to };
  lastFor(undo === undefined ? SEEN_MS : UNDO_MS);
  // What arrived does not take its place before it is read out.
  if (timer !== undefined) {
    clearTimeout(timer);
    timer = setTimeout(tellArrived, EVERY_MS);
  }
  tell();
}

/** Says what the event of a move tells. It may come after the answer, with which more was said: who moved knows why, and how to undo it. */
export function sayOfEvent(text: string, to: TopicPlace): void {
  if (notice?.to !== undefined && placeKey(notice.to) === placeKey(to)) say(notice.text, notice.undo, to);
  else say(text);
}

/** Undoes what was said last, while that is offered. */
export function undo(): void {
  const act = notice?.undo;
  if (act === undefined) return;
  // Its button goes.
  if (document.activeElement?.closest('[data-undo]') !== null) focusMain();
  endNotice();
  act();
}

/** Moves messages back, unless there is more by now where they are. */
export async function backIf(areAlone: () => Promise<boolean>, moveBack: () => unknown): Promise<void> {
  if (await areAlone()) await moveBack();
  else say(words.notUndone);
}

/** @param ms until then the notice is shown; as long as it takes without */
function lastFor(ms?: number): void {
  clearTimeout(noticeTimer);
  if (ms !== undefined) noticeTimer = setTimeout(endNotice, ms);
}

function endNotice(): void {
  notice = undefined;
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer(): ReactNode {
  useEffect(() => {
    const onView = (): void => {
      if (notice !== undefined && notice.hash !== location.hash) endNotice();
    };
    addEventListener('hashchange', onView);
    return () => removeEventListener('hashchange', onView);
  }, []);
  return (
    <div aria-live="polite" className="aloud">
      {useSyncExternalStore(subscribe, () => aloud)}
    </div>
  );
}

/**
 * Floats at the lower edge of what is read, above what is pressed and written below: what was said, for the eye.
 * @param props.children what stands below it
 */
export function Foot({ children }: { readonly children?: ReactNode }): ReactNode {
  const shown = useSyncExternalStore(subscribe, () => notice);
  return (
    <div className={classes['foot']}>
      {shown !== undefined && (
        <p className={classes['notice']}>
          <span aria-hidden="true">{shown.text}</span>
          {shown.undo !== undefined && <Undo />}
        </p>
      )}
      {children}
    </div>
  );
}

/** It stays while the focus or the pointer is on it: the pointer may leave it to the focus, and the focus to the pointer. */
function Undo(): ReactNode {
  const hold = (): void => lastFor();
  const leave = ({ currentTarget: button, type }: SyntheticEvent): void => {
    if (type === 'blur' ? !button.matches(':hover') : document.activeElement !== button) lastFor(UNDO_MS);
  };
  return (
    <button
      type="button"
      data-undo
      onClick={undo}
      onFocus={hold}
      onBlur={leave}
      onPointerEnter={hold}
      onPointerLeave={leave}
    >
      {words.undo}
    </button>
  );
}
