import { Component, type ReactNode, Suspense } from 'react';
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
