import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { words } from '../shared/words.js';
import type { DraftKeeper, Typed } from './draft-keeper.js';
import { putText } from './put-text.js';

/** Rest after which a draft is kept. */
const KEEP_AFTER_MS = 250;

export interface ComposerText {
  readonly text: RefObject<HTMLTextAreaElement | null>;
  readonly topic: RefObject<HTMLInputElement | null>;
  readonly isEmpty: boolean;
  readonly status: { readonly kind: 'saved' | 'note' | 'error'; readonly text: string } | undefined;
  /** Called after each change, by whoever shows what is typed. */
  readonly changes: RefObject<(() => void) | undefined>;
  /** To be called after the text or the topic has changed. */
  readonly changed: () => void;
  readonly note: (text: string | undefined) => void;
  readonly refuse: (reason: string) => void;
  /** Keeps what is typed, and where the caret is, at once. */
  readonly keep: () => void;
  /** Empties the text, and forgets the draft. */
  readonly clear: () => void;
  /** Puts text at the caret. */
  readonly put: (added: string) => void;
  /** Puts text at the caret, on lines of its own. */
  readonly insert: (added: string) => void;
}

/**
 * The text of a composer. Its elements keep it, so that a key costs nothing but its own; the draft of the conversation follows.
 * @param lengthMax in code points
 */
export function useComposerText(keeper: DraftKeeper, lengthMax: number): ComposerText {
  const [text, topic] = [useRef<HTMLTextAreaElement>(null), useRef<HTMLInputElement>(null)];
  const changes = useRef<() => void>(undefined);
  const [status, setStatus] = useState<ComposerText['status']>();
  const [isEmpty, setEmpty] = useState(true);
  const unkept = useUnkept(keeper, ({ content }) => {
    if (content.trim() !== '')
      setStatus((now) => (now?.kind === 'error' ? now : { kind: 'saved', text: words.draftSaved }));
  });

  const putTyped = (): void => unkept.put(typedIn(text.current, topic.current));
  const changed = (): void => {
    const content = text.current?.value ?? '';
    grow(text.current);
    setEmpty(content.trim() === '');
    const left = lengthMax - [...content].length;
    setStatus(left < 0 ? { kind: 'error', text: words.tooLong(left) } : undefined);
    putTyped();
    changes.current?.();
  };

  const put = (added: string): void => {
    const element = text.current;
    if (element === null) return;
    putText(element, added, element.selectionStart, element.selectionEnd);
    changed();
  };
  const insert = (added: string): void => {
    const before = text.current?.value.slice(0, text.current.selectionStart) ?? '';
    put(before === '' || before.endsWith('\n') ? added : `\n${added}`);
  };

  // Another conversation: its draft comes, and what was typed stays with the one before.
  useLayoutEffect(() => {
    const draft = keeper.get();
    if (text.current === null) return;
    text.current.value = draft?.content ?? '';
    if (topic.current !== null) topic.current.value = draft?.topic ?? '';
    if (draft !== undefined) text.current.setSelectionRange(draft.caret, draft.caret);
    setEmpty((draft?.content ?? '').trim() === '');
    setStatus((draft?.content ?? '') === '' ? undefined : { kind: 'saved', text: words.draftSaved });
    grow(text.current);
    changes.current?.();
    return unkept.keep;
  }, [keeper]);

  return {
    text,
    topic,
    changes,
    isEmpty,
    status,
    changed,
    note: (text) => setStatus(text === undefined ? undefined : { kind: 'note', text }),
    refuse: (reason) => setStatus({ kind: 'error', text: reason }),
    keep: () => {
      putTyped();
      unkept.keep();
    },
    clear: () => {
      if (text.current !== null) text.current.value = '';
      unkept.put({ content: '', topic: '', caret: 0 });
      unkept.keep();
      setStatus(undefined);
      setEmpty(true);
      grow(text.current);
      changes.current?.();
    },
    put,
    insert,
  };
}

/** As high as its text. */
function grow(element: HTMLTextAreaElement | null): void {
  if (element === null) return;
  element.style.blockSize = 'auto';
  element.style.blockSize = `${element.scrollHeight}px`;
}

function typedIn(text: HTMLTextAreaElement | null, topic: HTMLInputElement | null): Typed {
  return { content: text?.value ?? '', topic: topic?.value ?? '', caret: text?.selectionStart ?? 0 };
}

/** What was typed and is not kept yet: it is soon, and at once when the page or the conversation goes. */
function useUnkept(keeper: DraftKeeper, kept: (typed: Typed) => void) {
  const waiting = useRef<{ readonly typed: Typed; readonly keeper: DraftKeeper; readonly timer: number }>(undefined);
  const keep = (): void => {
    if (waiting.current === undefined) return;
    const { typed, keeper: its, timer } = waiting.current;
    clearTimeout(timer);
    waiting.current = undefined;
    its.set(typed);
    kept(typed);
  };
  const put = (typed: Typed): void => {
    const timer = waiting.current?.timer ?? window.setTimeout(keep, KEEP_AFTER_MS);
    waiting.current = { typed, keeper, timer };
  };
  useEffect(() => {
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  });
  return { put, keep };
}
