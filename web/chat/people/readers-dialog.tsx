import { type ReactNode, useEffect, useState } from 'react';
import { byName } from '../../shared/order.js';
import { call, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { Avatar, Buttons, Dialog, Loading, Problem } from '../../shared/widgets.js';
import { useChatState } from '../model/hooks.js';
import type { Message } from '../model/wire.js';
import { personName } from '../places.js';
import classes from './people.module.css';

/** No event tells of readers. */
const ASK_EVERY_MS = 10_000;

/** Who has read a message. */
export default function ReadersDialog({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}): ReactNode {
  const state = useChatState();
  const [ids, setIds] = useState<readonly number[]>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    const ask = (): void => {
      call<{ readonly user_ids: readonly number[] }>('GET', `/messages/${message.id}/read_receipts`).then(
        ({ user_ids }) => {
          setIds(user_ids);
          setRefusal(undefined);
        },
        (error: unknown) => setRefusal(reasonOf(error)),
      );
    };
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [message.id]);
  const readers = (ids ?? [])
    .map((id) => ({ id, name: personName(state, id), url: state.people.get(id)?.avatar_url }))
    .sort((a, b) => byName(a.name, b.name));
  return (
    <Dialog title={words.readersTitle} onClose={onClose}>
      <Problem reason={refusal} />
      {ids === undefined && refusal === undefined && <Loading />}
      {ids !== undefined && <p>{words.readBy(ids.length)}</p>}
      <ul className={classes['readers']}>
        {readers.map(({ id, name, url }) => (
          <li key={id}>
            <Avatar url={url} name={name} size={28} />
            <a href={`#people/${id}`} onClick={onClose}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      <Buttons onCancel={onClose} cancel={words.close} />
    </Dialog>
  );
}
