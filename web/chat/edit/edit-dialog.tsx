import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { ApiFailure, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { DialogForm } from '../../shared/dialog-form.js';
import { useWhileThere } from '../../shared/while-there.js';
import { Dialog, widgetClasses } from '../../shared/widgets.js';
import { words as common } from '../../shared/words.js';
import { attachment, isSend } from '../composer.js';
import { useChatState } from '../model/hooks.js';
import { rawOf, reword } from '../model/raw.js';
import type { Message } from '../model/wire.js';
import { putText } from '../put-text.js';
import type { UploadTarget } from '../upload-target.js';
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
  const [note, setNote] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const text = useRef<HTMLTextAreaElement>(null);
  const { attach, areLinked } = useUploads(text, setContent, setNote, setRefusal);
  const { settings } = useChatState();
  const isOff = before === undefined || isBusy;
  const close = useWhileThere(onClose);
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
    void load().then((found) => setContent(found ?? ''));
  }, [message.id]);
  const save = async (): Promise<void> => {
    if (isOff) return;
    setBusy(true);
    setRefusal(undefined);
    try {
      // With its links: an edit that follows would be one more in the history.
      if (!(await areLinked()) || text.current === null) return;
      await reword(message, before, text.current.value);
      close();
    } catch (error) {
      const isChanged = error instanceof ApiFailure && error.code === 'EXPECTATION_MISMATCH';
      setRefusal(isChanged ? words.clash : reasonOf(error));
      if (!isChanged) return;
      await load();
      setClash(true);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={words.editing} onClose={onClose} isWide>
      <DialogForm
        refusal={refusal}
        onSubmit={() => void save()}
        onCancel={onClose}
        act={isClash ? words.saveMine : words.save}
        isOff={isOff}
      >
        <textarea
          ref={text}
          className={widgetClasses['input']}
          aria-label={words.editing}
          // There from the beginning, so that keys never reach a button instead.
          autoFocus
          readOnly={before === undefined}
          placeholder={before === undefined && refusal === undefined ? common.loading : undefined}
          rows={Math.min(12, Math.max(3, content.split('\n').length + 1))}
          value={content}
          onChange={(event) => setContent(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || !isSend(event, settings.enter_sends)) return;
            event.preventDefault();
            void save();
          }}
          onPaste={(event) => attach(event, event.clipboardData.files)}
          onDragOver={(event) => event.preventDefault()}
          onDrop={(event) => attach(event, event.dataTransfer.files)}
        />
        {note !== undefined && <p role="status">{note}</p>}
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

/** Files that are pasted or dropped: their links come into the text. */
function useUploads(
  text: RefObject<HTMLTextAreaElement | null>,
  setContent: (content: string) => void,
  setNote: (note: string | undefined) => void,
  setRefusal: (reason: string) => void,
) {
  const uploads = useRef(new Set<Promise<boolean>>());
  const failures = useRef(0);
  const target: UploadTarget = {
    insert(link) {
      const [element, held] = [text.current, document.activeElement];
      if (element === null) return;
      putText(element, link, element.selectionStart, element.selectionEnd);
      setContent(element.value);
      // A key meant for a button does not save.
      if (held instanceof HTMLElement) held.focus();
    },
    note: setNote,
    refuse(reason) {
      failures.current++;
      setNote(undefined);
      setRefusal(reason);
    },
  };
  return {
    attach: attachment(target, (upload) => {
      uploads.current.add(upload);
      void upload.finally(() => uploads.current.delete(upload));
    }),
    /** Waits for uploads, also for those that begin meanwhile. False when one has failed meanwhile, whichever was waited for. */
    areLinked: async (): Promise<boolean> => {
      const before = failures.current;
      for (const upload of uploads.current) await upload;
      return failures.current === before;
    },
  };
}
