import { type ReactNode, useState } from 'react';
import { reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { DialogForm } from '../../shared/dialog-form.js';
import { whenOf } from '../../shared/time.js';
import { useWhileThere } from '../../shared/while-there.js';
import { ActButton, Dialog, widgetClasses } from '../../shared/widgets.js';
import classes from './later.module.css';
import { fieldTimeOf, presetsAt } from './presets.js';

interface Props {
  readonly title: string;
  /** What the button beside the own time says. */
  readonly act: string;
  /** Length of the note that can be given, in characters; without it none is asked for. */
  readonly noteLength?: number;
  /** Seconds since the epoch. What is refused is said here. */
  readonly onChoose: (at: number, note: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks when something is to happen. */
export default function WhenDialog({ title, act, noteLength, onChoose, onClose }: Props): ReactNode {
  const [nowMs] = useState(Date.now);
  const [own, setOwn] = useState(() => fieldTimeOf(nowMs / 1000 + 86_400));
  const [note, setNote] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const close = useWhileThere(onClose);
  const choose = (at: number): void => {
    if (Number.isNaN(at)) {
      setRefusal(words.noTime);
      return;
    }
    setBusy(true);
    onChoose(at, note.trim()).then(close, (error: unknown) => {
      setRefusal(reasonOf(error));
      setBusy(false);
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <ul className={classes['presets']}>
        {presetsAt(nowMs).map(({ label, at }, index) => (
          <li key={label}>
            <ActButton kind="item" autoFocus={index === 0} isOff={isBusy} onClick={() => choose(at)}>
              <span>{label}</span>
              <span className={classes['time']}>{whenOf(at)}</span>
            </ActButton>
          </li>
        ))}
      </ul>
      <DialogForm
        refusal={refusal}
        onSubmit={() => choose(Math.floor(new Date(own).getTime() / 1000))}
        onCancel={onClose}
        act={act}
        isOff={isBusy}
      >
        <label className={widgetClasses['field']}>
          {words.ownTime}
          <input
            type="datetime-local"
            className={widgetClasses['input']}
            value={own}
            required
            onChange={(event) => setOwn(event.currentTarget.value)}
          />
        </label>
        {noteLength !== undefined && (
          <label className={widgetClasses['field']}>
            {words.reminderNote}
            <input
              className={widgetClasses['input']}
              value={note}
              maxLength={noteLength}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          </label>
        )}
      </DialogForm>
    </Dialog>
  );
}
