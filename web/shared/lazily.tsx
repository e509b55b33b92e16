import { Component, type ReactNode, Suspense, useEffect } from 'react';
import { widgetClasses } from './widgets.js';
import { words } from './words.js';

interface Props {
  readonly children: ReactNode;
  /** What stands there while the part loads. */
  readonly fallback?: ReactNode;
}

/**
 * A part of the page that loads when it is needed. When its file is gone, as after an update, or out of reach, the reader is told there and
 * can reload; the rest of the page stays, and what is typed is kept as drafts are.
 */
export class Lazily extends Component<Props, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    const { children, fallback } = this.props;
    if (!this.state.hasFailed) return <Suspense fallback={fallback}>{children}</Suspense>;
    return (
      <p role="alert" className={widgetClasses['note']}>
        {words.partMissing}{' '}
        <button type="button" className={widgetClasses['button']} onClick={() => location.reload()}>
          {words.reload}
        </button>
      </p>
    );
  }
}

/**
 * Stands for a dialog until it is there. Keys are already meant for it, and not for the page: what is typed goes into its field.
 */
export function Opening(): ReactNode {
  useEffect(() => {
    let typed = '';
    const { activeElement: opener } = document;
    const onKeyDown = (event: KeyboardEvent): void => {
      // Who has gone on elsewhere types there.
      if (document.activeElement !== opener) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) typed += event.key;
    };
    addEventListener('keydown', onKeyDown, true);
    return () => {
      removeEventListener('keydown', onKeyDown, true);
      const { activeElement: field } = document;
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else types as a key does
      if (field?.matches('dialog :is(input, textarea)') === true) document.execCommand('insertText', false, typed);
    };
  }, []);
  return null;
}
