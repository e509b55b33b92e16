import { type ReactNode, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { useConfirming } from '../settings/confirming.js';
import { useSaving } from '../settings/saving.js';
import { EntryDialog, TextPart } from './entries/entry-dialog.js';
import { EntryList } from './entries/entry-list.js';
import { EntryRow } from './entries/entry-row.js';

interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

/** Longest that the server takes. */
const [NAME_LENGTH_MAX, LANGUAGE_LENGTH_MAX, TEMPLATE_LENGTH_MAX] = [60, 40, 1000];

/** Websites that open code of messages. The server changes none: one is removed and added anew. */
export function Playgrounds(): ReactNode {
  const { fields } = useModel();
  const playgrounds = (fields.realm_playgrounds ?? []) as readonly Playground[];
  const isAdministrator = fields.is_admin === true;
  const { phase, run } = useSaving();
  const [ask, confirming] = useConfirming();
  const [isOpen, setOpen] = useState(false);
  const remove = ({ id, name }: Playground): void =>
    ask({
      title: words.remove,
      text: words.playgroundRemoveSure(name),
      act: () => void run(() => call('DELETE', `/realm/playgrounds/${id}`)),
    });
  return (
    <>
      <EntryList
        hint={words.playgroundsHint}
        none={words.playgroundsNone}
        phase={phase}
        addLabel={words.playgroundNew}
        onAdd={() => setOpen(true)}
      >
        {playgrounds.map((one) => (
          <EntryRow
            key={one.id}
            name={one.name}
            detail={`${one.pygments_language} · ${one.url_template}`}
            onRemove={isAdministrator ? () => remove(one) : undefined}
          />
        ))}
      </EntryList>
      {isOpen && <PlaygroundDialog close={() => setOpen(false)} />}
      {confirming}
    </>
  );
}

function PlaygroundDialog({ close }: { readonly close: () => void }): ReactNode {
  return (
    <EntryDialog
      title={words.playgroundNew}
      act={words.add}
      first={{ name: '', pygments_language: '', url_template: '' }}
      save={(entry) => call('POST', '/realm/playgrounds', entry)}
      close={close}
    >
      {({ name, pygments_language: language, url_template: template }, change) => (
        <>
          <TextPart
            label={words.name}
            value={name}
            lengthMax={NAME_LENGTH_MAX}
            set={(next) => change({ name: next })}
          />
          <TextPart
            label={words.playgroundLanguage}
            hint={words.playgroundLanguageHint}
            value={language}
            lengthMax={LANGUAGE_LENGTH_MAX}
            set={(next) => change({ pygments_language: next })}
          />
          <TextPart
            label={words.urlTemplate}
            hint={words.playgroundTemplateHint}
            value={template}
            lengthMax={TEMPLATE_LENGTH_MAX}
            isCode
            set={(next) => change({ url_template: next })}
          />
        </>
      )}
    </EntryDialog>
  );
}
