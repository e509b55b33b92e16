import { type ReactNode, useState } from 'react';
import type { Fields } from '#client';
import { call, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { nodesOf, textOf } from '../../shared/rendered-html.js';
import { whenOf } from '../../shared/time.js';
import { Problem, widgetClasses } from '../../shared/widgets.js';
import inbox from '../inbox.module.css';
import { useChatState, useModel } from '../model/hooks.js';
import { directWith, type Place } from '../model/place.js';
import { hashOf, placeName } from '../places.js';
import later from './later.module.css';
import WhenDialog from './when-dialog.js';

interface ScheduledMessage extends Fields {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  readonly to: number | readonly number[];
  readonly topic?: string;
  readonly content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

/** What is to be sent later. */
export function Scheduled(): ReactNode {
  const [state, model] = [useChatState(), useModel()];
  const [refusal, setRefusal] = useState<string>();
  const [changing, setChanging] = useState<number>();
  const all = (model.fields.scheduled_messages ?? []) as readonly ScheduledMessage[];
  const discard = (id: number): void => {
    setRefusal(undefined);
    call('DELETE', `/scheduled_messages/${id}`).catch((error: unknown) => setRefusal(reasonOf(error)));
  };
  return (
    <List title={words.scheduledTitle} refusal={refusal} empty={all.length === 0 ? words.scheduledNone : undefined}>
      {all.map(({ scheduled_message_id: id, to, topic = '', content, scheduled_delivery_timestamp: at, failed }) => {
        const place: Place =
          typeof to === 'number' ? { kind: 'topic', channelId: to, topic } : directWith(to, state.meId);
        const name = placeName(state, place);
        return (
          <li key={id} className={`${inbox['row']} ${later['row']} ${later['scheduled']}`}>
            <div className={inbox['what']}>
              <a href={hashOf(place, state)}>{name}</a>
              <span className={inbox['line']}>{content}</span>
            </div>
            <span className={later['when']}>{failed ? words.scheduledFailed : words.scheduledFor(whenOf(at))}</span>
            <Button label={words.changeTimeOf(name)} text={words.changeTime} act={() => setChanging(id)} />
            <Button label={words.discardOf(name)} text={words.discard} act={() => discard(id)} />
          </li>
        );
      })}
      {changing !== undefined && (
        <WhenDialog
          title={words.changeTimeTitle}
          act={words.changeTime}
          onChoose={(at) => call('PATCH', `/scheduled_messages/${changing}`, { scheduled_delivery_timestamp: at })}
          onClose={() => setChanging(undefined)}
        />
      )}
    </List>
  );
}

interface Reminder extends Fields {
  readonly reminder_id: number;
  readonly rendered_content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
  readonly reminder_target_message_id: number;
}

/** Messages of which the reader wants to be reminded. */
export function Reminders(): ReactNode {
  const model = useModel();
  const [refusal, setRefusal] = useState<string>();
  const all = (model.fields.reminders ?? []) as readonly Reminder[];
  const discard = (id: number): void => {
    setRefusal(undefined);
    call('DELETE', `/reminders/${id}`).catch((error: unknown) => setRefusal(reasonOf(error)));
  };
  return (
    <List title={words.remindersTitle} refusal={refusal} empty={all.length === 0 ? words.remindersNone : undefined}>
      {all.map((reminder) => {
        const { reminder_id: id, rendered_content: html, scheduled_delivery_timestamp: at, failed } = reminder;
        const text = textOf(html);
        // The first link leads to the message in its conversation.
        const [, hash] = /(#.*)$/.exec(nodesOf(html).querySelector('a')?.getAttribute('href') ?? '') ?? [];
        return (
          <li key={id} className={`${inbox['row']} ${later['row']}`}>
            <a href={hash ?? `#narrow/near/${reminder.reminder_target_message_id}`}>{text}</a>
            <span className={later['when']}>{failed ? words.scheduledFailed : words.remindedAt(whenOf(at))}</span>
            <Button label={words.discardReminder(text)} text={words.discard} act={() => discard(id)} />
          </li>
        );
      })}
    </List>
  );
}

function List(props: {
  readonly title: string;
  readonly refusal: string | undefined;
  /** What to say when there is nothing. */
  readonly empty: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { title, refusal, empty, children } = props;
  return (
    <section aria-label={title}>
      <h2 className={inbox['group']}>{title}</h2>
      <Problem reason={refusal} />
      {empty !== undefined && <p className={widgetClasses['note']}>{empty}</p>}
      <ul>{children}</ul>
    </section>
  );
}

function Button(props: { readonly label: string; readonly text: string; readonly act: () => void }): ReactNode {
  return (
    <button type="button" className={widgetClasses['button']} aria-label={props.label} onClick={props.act}>
      {props.text}
    </button>
  );
}
