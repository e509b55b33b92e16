import { type ReactNode, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { useRendering } from '../chat/preview/use-rendering.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { Rendered } from '../shared/rendered.js';
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
  const linkifiers = (fields['realm_linkifiers'] ?? []) as readonly Linkifier[];
  const isAdministrator = fields['is_admin'] === true;
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
        </>
      )}
    </EntryDialog>
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
        <input
          className={widgetClasses['input']}
          aria-label={words.tryTextLabel}
          value={text}
          maxLength={TRIED_LENGTH_MAX}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div aria-live="polite">
          {shown !== undefined && 'html' in shown && <Rendered html={shown.html} meId={meId} />}
          {shown !== undefined && 'reason' in shown && <Problem reason={shown.reason} />}
        </div>
      </div>
    </Part>
  );
}
