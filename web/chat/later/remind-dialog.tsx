import type { ReactNode } from 'react';
import { call } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { whenOf } from '../../shared/time.js';
import { say } from '../announcer.js';
import { useModel } from '../model/hooks.js';
import type { Message } from '../model/wire.js';
import WhenDialog from './when-dialog.js';

/** Asks when the reader wants to be reminded of a message. */
export default function RemindDialog({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}): ReactNode {
  const { fields } = useModel();
  const remind = async (at: number, note: string): Promise<void> => {
    const params = { message_id: message.id, scheduled_delivery_timestamp: at, note: note === '' ? undefined : note };
    await call('POST', '/reminders', params);
    say(words.reminded(whenOf(at)));
  };
  return (
    <WhenDialog
      title={words.remindTitle}
      act={words.remind}
      noteLength={Number(fields.max_reminder_note_length)}
      onChoose={remind}
      onClose={onClose}
    />
  );
}
