import { type ReactNode, useId, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { useRendering } from '../chat/preview/use-rendering.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { Rendered } from '../shared/rendered.js';
import { useAsked } from '../shared/use-asked.js';
import { Problem, widgetClasses } from '../shared/widgets.js';
import { useConfirming } from '../settings/confirming.js';
import { paneClasses as classes, Part } from '../settings/panes.js';
import { useSaving } from '../settings/saving.js';
import { EntryDialog, TextPart } from './entries/entry-dialog.js';
import { EntryList } from './entries/entry-list.js';
import { EntryRow } from './entries/entry-row.js';
import { useOrder } from './entries/use-order.js';

interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
}

/** Longest that the server takes. */
const [PATTERN_LENGTH_MAX, TEMPLATE_LENGTH_MAX] = [500, 1000];
const TRIED_LENGTH_MAX = 1000;

/** Patterns whose matches become links, in the order in which they apply. */
export function Linkifiers(): ReactNode {
  const { fields, self } = useModel();
  const linkifiers = (fields.realm_linkifiers ?? []) as readonly Linkifier[];
  const isAdministrator = fields.is_admin === true;
  const { phase, run } = useSaving();
  const [ask, confirming] = useConfirming();
  const [open, setOpen] = useState<Linkifier | 'new'>();
  const [inOrder, moveOf] = useOrder(linkifiers, run, (ids) =>
    call('PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids }),
  );
  const remove = ({ id, pattern }: Linkifier): void =>
    ask({
      title: words.remove,
      text: words.linkifierRemoveSure(pattern),
      act: () => void run(() => call('DELETE', `/realm/filters/${id}`)),
    });
  return (
    <>
      <EntryList
        hint={words.linkifiersHint}
        none={words.linkifiersNone}
        isOrdered
        phase={phase}
        addLabel={words.linkifierNew}
        onAdd={() => setOpen('new')}
      >
        {inOrder.map((one) => (
          <EntryRow
            key={one.id}
            name={one.pattern}
            detail={one.url_template}
            move={isAdministrator ? moveOf(one.id) : undefined}
            onChange={isAdministrator ? () => setOpen(one) : undefined}
            onRemove={isAdministrator ? () => remove(one) : undefined}
          >
            <code className={classes['code']}>{one.pattern}</code>
          </EntryRow>
        ))}
      </EntryList>
      <Trial linkifiers={linkifiers} meId={self} />
      {open !== undefined && <LinkifierDialog linkifier={open} close={() => setOpen(undefined)} />}
      {confirming}
    </>
  );
}

function LinkifierDialog(props: { readonly linkifier: Linkifier | 'new'; readonly close: () => void }): ReactNode {
  const { linkifier, close } = props;
  const isNew = linkifier === 'new';
  return (
    <EntryDialog
      title={isNew ? words.linkifierNew : words.linkifierChange}
      act={isNew ? words.add : words.save}
      first={isNew ? { pattern: '', url_template: '' } : linkifier}
      save={({ pattern, url_template }) =>
        isNew
          ? call('POST', '/realm/filters', { pattern, url_template })
          : call('PATCH', `/realm/filters/${linkifier.id}`, { pattern, url_template })
      }
      close={close}
    >
      {({ pattern, url_template: template }, change) => (
        <>
          <TextPart
            label={words.pattern}
            hint={words.patternHint}
            value={pattern}
            lengthMax={PATTERN_LENGTH_MAX}
            isCode
            set={(next) => change({ pattern: next })}
          />
          <TextPart
            label={words.urlTemplate}
            hint={words.linkifierTemplateHint}
            value={template}
            lengthMax={TEMPLATE_LENGTH_MAX}
            isCode
            set={(next) => change({ url_template: next })}
          />
          <DraftTrial pattern={pattern} template={template} />
        </>
      )}
    </EntryDialog>
  );
}

interface Found {
  readonly links: readonly { readonly text: string; readonly url: string }[];
}

/** What a linkifier finds that is not saved yet. */
function DraftTrial({ pattern, template }: { readonly pattern: string; readonly template: string }): ReactNode {
  const [text, setText] = useState('');
  const id = useId();
  const isWhole = pattern !== '' && template !== '' && text.trim() !== '';
  const params = { pattern, url_template: template, content: text };
  const found = useAsked<Found>('/realm/linkifiers/try', isWhole ? params : undefined);
  const links = found !== undefined && 'answer' in found ? found.answer.links : undefined;
  return (
    <div className={widgetClasses['field']}>
      <label htmlFor={id}>{words.tryTextLabel}</label>
      <TriedText id={id} text={text} setText={setText} />
      <div aria-live="polite">
        {links?.length === 0 && <p className={classes['hint']}>{words.tryTextNone}</p>}
        {links?.map((link, index) => (
          <p key={index} className={classes['detail']}>
            {link.text} → <code className={classes['code']}>{link.url}</code>
          </p>
        ))}
        {found !== undefined && 'reason' in found && <p className={widgetClasses['error']}>{found.reason}</p>}
      </div>
    </div>
  );
}

/** What the server makes of a text, with the linkifiers that there are. */
function Trial(props: { readonly linkifiers: readonly Linkifier[]; readonly meId: number }): ReactNode {
  const { linkifiers, meId } = props;
  const [text, setText] = useState('');
  const shown = useRendering(text.trim(), linkifiers);
  return (
    <Part title={words.tryText} hint={words.tryTextHint}>
      <div className={classes['stack']} style={{ marginBlockStart: 8 }}>
        <TriedText label={words.tryTextLabel} text={text} setText={setText} />
        <div aria-live="polite">
          {shown !== undefined && 'answer' in shown && <Rendered html={shown.answer.rendered} meId={meId} />}
          {shown !== undefined && 'reason' in shown && <Problem reason={shown.reason} />}
        </div>
      </div>
    </Part>
  );
}

/** A field for a text that is not kept: Enter saves nothing. */
function TriedText(props: {
  readonly id?: string;
  readonly label?: string;
  readonly text: string;
  readonly setText: (text: string) => void;
}): ReactNode {
  const { id, label, text, setText } = props;
  return (
    <input
      id={id}
      className={widgetClasses['input']}
      aria-label={label}
      value={text}
      maxLength={TRIED_LENGTH_MAX}
      autoComplete="off"
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.preventDefault();
      }}
    />
  );
}
