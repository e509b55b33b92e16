import type { ReactNode } from 'react';
import { Problem, widgetClasses } from './widgets.js';
import { words } from './words.js';

/** The end of the form of a dialog: what was refused, and its buttons. */
export function FormEnd(props: {
  readonly refusal: string | undefined;
  readonly onCancel: () => void;
  readonly act: string;
  readonly isOff?: boolean;
}): ReactNode {
  const { refusal, onCancel, act, isOff = false } = props;
  return (
    <>
      <Problem reason={refusal} />
      <p style={{ display: 'flex', justifyContent: 'flex-end', gap: 8 }}>
        <button type="button" className={widgetClasses['button']} onClick={onCancel}>
          {words.cancel}
        </button>
        <button type="submit" className={widgetClasses['primary']} disabled={isOff}>
          {act}
        </button>
      </p>
    </>
  );
}
