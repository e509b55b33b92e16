import { type ReactNode, useState } from 'react';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { personName } from '../chat/places.js';
import { sendFile } from '../chat/uploads.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from '../settings/panes.js';
import { PictureChooser } from '../settings/picture-chooser.js';
import { emptied, Told, useSaving } from '../settings/saving.js';

interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly source_url: string;
  readonly deactivated: boolean;
  readonly author_id: number | null;
}

/** Emoji of the organization. */
export function Emoji(): ReactNode {
  const { fields, self } = useModel();
  const state = useChatState();
  const all = Object.values((fields.realm_emoji ?? {}) as Readonly<Record<string, CustomEmoji>>);
  const { phase, run, refuse } = useSaving();
  const [name, setName] = useState('');
  const add = (chosen: File): void => {
    const path = `/realm/emoji/${encodeURIComponent(name.trim())}`;
    void run(() => sendFile(path, chosen, () => undefined)).then((isDone) => {
      if (isDone) setName(emptied(name));
    });
  };
  return (
    <>
      <div className={classes['inline']}>
        <label className={widgetClasses['field']}>
          {words.emojiName}
          <input
            className={widgetClasses['input']}
            value={name}
            maxLength={60}
            autoComplete="off"
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <PictureChooser
          label={words.emojiFile}
          choose={add}
          isReady={() => {
            if (name.trim() === '') refuse(words.emojiNeedsName);
            return name.trim() !== '';
          }}
        />
      </div>
      <Told phase={phase} />
      {all.every(({ deactivated }) => deactivated) && <p className={classes['row']}>{words.emojiNone}</p>}
      <ul>
        {all
          .filter(({ deactivated }) => !deactivated)
          .map(({ id, name: known, source_url: url, author_id: author }) => (
            <li key={id} className={classes['row']}>
              <img src={url} alt="" width={24} height={24} />
              <span className={classes['grow']}>{`:${known}:`}</span>
              {author !== null && <span className={classes['hint']}>{words.emojiBy(personName(state, author))}</span>}
              {(fields.is_admin === true || author === self) && (
                <button
                  type="button"
                  className={widgetClasses['button']}
                  aria-label={words.removeOf(known)}
                  onClick={() => void run(() => call('DELETE', `/realm/emoji/${encodeURIComponent(known)}`))}
                >
                  {words.remove}
                </button>
              )}
            </li>
          ))}
      </ul>
    </>
  );
}
