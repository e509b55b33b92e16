import type { ReactNode } from 'react';
import { ActButton, Problem, widgetClasses } from './widgets.js';
import { words } from './words.js';

/** The form of a dialog: its fields, what was refused, and its buttons. */
export function DialogForm(props: {
  readonly children: ReactNode;
  readonly refusal: string | undefined;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly act: string;
  readonly isOff?: boolean;
}): ReactNode {
  const { children, refusal, onSubmit, onCancel, act, isOff = false } = props;
  return (
    <form
      className={widgetClasses['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Problem reason={refusal} />
      <p style={{ display: 'flex', justifyContent: 'flex-end', gap: 8 }}>
        <button type="button" className={widgetClasses['button']} onClick={onCancel}>
          {words.cancel}
        </button>
        <ActButton isOff={isOff}>{act}</ActButton>
      </p>
    </form>
  );
}
