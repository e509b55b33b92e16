import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { words } from '../shared/words.js';
import { drafts } from './drafts.js';

export interface ComposerText {
  readonly text: RefObject<HTMLTextAreaElement | null>;
  readonly topic: RefObject<HTMLInputElement | null>;
  readonly isEmpty: boolean;
  readonly status: { readonly kind: 'note' | 'error'; readonly text: string } | undefined;
  /** To be called after the text or the topic has changed. */
  readonly changed: () => void;
  readonly note: (text: string | undefined) => void;
  readonly refuse: (reason: string) => void;
  /** Empties the text, and forgets the draft. */
  readonly clear: () => void;
}

/**
 * The text of a composer. Its elements keep it, so that a key costs nothing but its own; the draft of the conversation follows.
 * @param lengthMax in code points
 */
export function useComposerText(userId: number, place: string, lengthMax: number): ComposerText {
  const [text, topic] = [useRef<HTMLTextAreaElement>(null), useRef<HTMLInputElement>(null)];
  const [status, setStatus] = useState<ComposerText['status']>();
  const [isEmpty, setEmpty] = useState(true);

  const grow = (): void => {
    const element = text.current;
    if (element === null) return;
    element.style.blockSize = 'auto';
    element.style.blockSize = `${element.scrollHeight}px`;
  };
  const changed = (): void => {
    const content = text.current?.value ?? '';
    grow();
    setEmpty(content.trim() === '');
    const left = lengthMax - [...content].length;
    setStatus(left < 0 ? { kind: 'error', text: words.tooLong(left) } : undefined);
    const caret = text.current?.selectionStart ?? 0;
    drafts.set(userId, place, { content, topic: topic.current?.value ?? '', caret, atMs: Date.now() });
  };

  // Another conversation: its draft comes, and what was typed stays with the one before.
  useLayoutEffect(() => {
    const draft = drafts.get(userId, place);
    if (text.current === null) return;
    text.current.value = draft?.content ?? '';
    if (topic.current !== null) topic.current.value = draft?.topic ?? '';
    if (draft !== undefined) text.current.setSelectionRange(draft.caret, draft.caret);
    setEmpty((draft?.content ?? '').trim() === '');
    setStatus((draft?.content ?? '') === '' ? undefined : { kind: 'note', text: words.draftSaved });
    grow();
    return () => drafts.flush();
  }, [userId, place]);

  useEffect(
    () =>
      drafts.subscribe(() => {
        if (text.current?.value.trim() !== '' && drafts.placesOf(userId).includes(place))
          setStatus((now) => (now?.kind === 'error' ? now : { kind: 'note', text: words.draftSaved }));
      }),
    [userId, place],
  );

  return {
    text,
    topic,
    isEmpty,
    status,
    changed,
    note: (text) => setStatus(text === undefined ? undefined : { kind: 'note', text }),
    refuse: (reason) => setStatus({ kind: 'error', text: reason }),
    clear: () => {
      if (text.current !== null) text.current.value = '';
      drafts.remove(userId, place);
      setStatus(undefined);
      setEmpty(true);
      grow();
    },
  };
}
