import type { ReactNode } from 'react';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import WhenDialog from './when-dialog.js';

/** Asks when what is written is to be sent. */
export default function ScheduleDialog(props: {
  readonly onChoose: (at: number) => Promise<unknown>;
  readonly onClose: () => void;
}): ReactNode {
  return <WhenDialog title={words.scheduleTitle} act={words.schedule} {...props} />;
}
