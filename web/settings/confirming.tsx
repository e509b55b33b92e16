import { type ReactNode, useState } from 'react';
import { words } from '../shared/words.js';
import { Buttons, Dialog } from '../shared/widgets.js';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly act: () => void;
}

/** @returns a function that asks before something is done, and the dialog in which it asks */
export function useConfirming(): readonly [ask: (question: Question) => void, dialog: ReactNode] {
  const [question, setQuestion] = useState<Question>();
  const close = (): void => setQuestion(undefined);
  const dialog = question !== undefined && (
    <Dialog title={question.title} onClose={close}>
      <p>{question.text}</p>
      <Buttons
        onCancel={close}
        cancel={words.cancel}
        act={question.title}
        onAct={() => {
          close();
          question.act();
        }}
      />
    </Dialog>
  );
  return [setQuestion, dialog];
}
