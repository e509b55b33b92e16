import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiFailure, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { DialogForm } from '../../shared/dialog-form.js';
import { Dialog, Loading, widgetClasses } from '../../shared/widgets.js';
import { rawOf, reword } from '../model/raw.js';
import type { Message } from '../model/wire.js';
import { Clash } from './clash.js';

/** Edits a message. When it was changed meanwhile, both wordings stand there, and what was typed stays. */
export default function EditDialog({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}): ReactNode {
  /** What is to be replaced. */
  const [before, setBefore] = useState<string>();
  const [content, setContent] = useState('');
  const [isClash, setClash] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const text = useRef<HTMLTextAreaElement>(null);
  const load = async (): Promise<string | undefined> => {
    try {
      const { content: found } = await rawOf(message);
      setBefore(found);
      return found;
    } catch (error) {
      setRefusal(reasonOf(error));
      return undefined;
    }
  };
  useEffect(() => {
    void load().then((found) => {
      setContent(found ?? '');
      text.current?.focus();
    });
  }, [message.id]);
  const save = async (): Promise<void> => {
    try {
      await reword(message, before ?? '', content);
      onClose();
    } catch (error) {
      const isChanged = error instanceof ApiFailure && error.code === 'EXPECTATION_MISMATCH';
      setRefusal(isChanged ? words.clash : reasonOf(error));
      if (!isChanged) return;
      await load();
      setClash(true);
    }
  };
  return (
    <Dialog title={words.editing} onClose={onClose}>
      <DialogForm
        refusal={refusal}
        onSubmit={() => void save()}
        onCancel={onClose}
        act={isClash ? words.saveMine : words.save}
      >
        {before === undefined ? (
          refusal === undefined && <Loading />
        ) : (
          <textarea
            ref={text}
            className={widgetClasses['input']}
            aria-label={words.editing}
            rows={Math.min(12, Math.max(3, content.split('\n').length + 1))}
            value={content}
            onChange={(event) => setContent(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing)
                void save();
            }}
          />
        )}
        {isClash && before !== undefined && (
          <Clash
            now={before}
            typed={content}
            takeTheirs={() => {
              setContent(before);
              setClash(false);
              setRefusal(undefined);
            }}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}
