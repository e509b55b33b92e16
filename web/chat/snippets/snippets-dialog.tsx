import { type ReactNode, useState } from 'react';
import type { Fields } from '#client';
import { call, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { DialogForm } from '../../shared/dialog-form.js';
import { Dialog, IconButton, Problem, widgetClasses } from '../../shared/widgets.js';
import { useModel } from '../model/hooks.js';
import classes from './snippets.module.css';

interface Snippet extends Fields {
  readonly id: number;
  readonly title: string;
  readonly content: string;
}

/** The server refuses longer titles. */
const TITLE_MAX = 60;

/** Texts that the reader writes again and again: to insert, to change, and to save another. */
export default function SnippetsDialog(props: {
  /** What is typed now: the beginning of a new snippet. */
  readonly typed: string;
  readonly onInsert: (content: string) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { typed, onInsert, onClose } = props;
  const all = (useModel().fields.saved_snippets ?? []) as readonly Snippet[];
  const [query, setQuery] = useState('');
  const [form, setForm] = useState<Pick<Snippet, 'title' | 'content'> & { readonly id?: number }>();
  const [refusal, setRefusal] = useState<string>();
  /** @param done called where it was not refused */
  const run = async (work: Promise<unknown>, done: () => void): Promise<void> => {
    setRefusal(undefined);
    try {
      await work;
      done();
    } catch (error) {
      setRefusal(reasonOf(error));
    }
  };
  const wanted = query.trim().toLowerCase();
  const found = all.filter((one) => `${one.title}\n${one.content}`.toLowerCase().includes(wanted));
  return (
    <Dialog title={words.snippetsTitle} onClose={onClose}>
      {all.length > 0 && (
        <input
          type="search"
          className={widgetClasses['input']}
          aria-label={words.findSnippet}
          placeholder={words.findSnippet}
          autoFocus
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key !== 'Enter' || event.nativeEvent.isComposing || first === undefined) return;
            event.preventDefault();
            onInsert(first.content);
          }}
        />
      )}
      {found.length === 0 && (
        <p className={widgetClasses['note']}>{all.length === 0 ? words.snippetsNone : words.noSnippet}</p>
      )}
      <ul className={classes['list']}>
        {found.map((snippet) => (
          <Row
            key={snippet.id}
            snippet={snippet}
            insert={() => onInsert(snippet.content)}
            change={() => setForm(snippet)}
            remove={() =>
              void run(call('DELETE', `/saved_snippets/${snippet.id}`), () =>
                setForm((now) => (now?.id === snippet.id ? undefined : now)),
              )
            }
          />
        ))}
      </ul>
      <Problem reason={refusal} />
      {form === undefined ? (
        <p className={classes['buttons']}>
          <button type="button" className={widgetClasses['button']} onClick={onClose}>
            {words.close}
          </button>
          <button
            type="button"
            className={widgetClasses['button']}
            onClick={() => setForm({ title: '', content: typed })}
          >
            {words.newSnippet}
          </button>
        </p>
      ) : (
        <Form
          key={form.id ?? 'new'}
          title={form.title}
          content={form.content}
          cancel={() => setForm(undefined)}
          save={(title, content) =>
            run(
              form.id === undefined
                ? call('POST', '/saved_snippets', { title, content })
                : call('PATCH', `/saved_snippets/${form.id}`, { title, content }),
              // Another one may be open by then.
              () => setForm((now) => (now === form ? undefined : now)),
            )
          }
        />
      )}
    </Dialog>
  );
}

function Row(props: {
  readonly snippet: Snippet;
  readonly insert: () => void;
  readonly change: () => void;
  readonly remove: () => void;
}): ReactNode {
  const { title, content } = props.snippet;
  return (
    <li className={classes['row']}>
      <button type="button" className={classes['snippet']} onClick={props.insert}>
        <span className="aloud">{words.insertSnippet(title)}</span>
        <strong>{title}</strong>
        <span>{content}</span>
      </button>
      <IconButton icon="pencil" label={words.changeSnippet(title)} onClick={props.change} />
      <IconButton icon="trash" label={words.removeSnippet(title)} onClick={props.remove} />
    </li>
  );
}

function Form(props: {
  readonly title: string;
  readonly content: string;
  readonly cancel: () => void;
  readonly save: (title: string, content: string) => Promise<void>;
}): ReactNode {
  const [title, setTitle] = useState(props.title);
  const [content, setContent] = useState(props.content);
  const [isBusy, setBusy] = useState(false);
  const save = (): void => {
    setBusy(true);
    void props.save(title.trim(), content).then(() => setBusy(false));
  };
  return (
    <DialogForm refusal={undefined} onSubmit={save} onCancel={props.cancel} act={words.save} isOff={isBusy}>
      <label className={widgetClasses['field']}>
        {words.snippetTitle}
        <input
          className={widgetClasses['input']}
          value={title}
          required
          autoFocus
          maxLength={TITLE_MAX}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <label className={widgetClasses['field']}>
        {words.snippetContent}
        <textarea
          className={widgetClasses['input']}
          rows={4}
          value={content}
          required
          onChange={(event) => setContent(event.currentTarget.value)}
        />
      </label>
    </DialogForm>
  );
}
