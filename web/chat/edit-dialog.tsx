import { type ReactNode, useEffect, useState } from 'react';
import { ApiFailure, call, reasonOf } from '../shared/api.js';
import { Buttons, Dialog, Loading, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import type { Message } from './model/wire.js';
import { rawOf } from './model/raw.js';

/** Edits a message. What somebody else wrote into it meanwhile is not overwritten unseen. */
export default function EditDialog({
  message,
  onClose,
}: {
  readonly message: Message;
  readonly onClose: () => void;
}): ReactNode {
  const [before, setBefore] = useState<string>();
  const [content, setContent] = useState('');
  const [error, setError] = useState<string>();
  const load = (isFirst: boolean): void => {
    rawOf(message).then(
      ({ content: found }) => {
        setBefore(found);
        if (isFirst) setContent(found);
      },
      (failure: unknown) => setError(reasonOf(failure)),
    );
  };
  useEffect(() => load(true), [message.id]);
  const save = (): void => {
    void shaOf(before ?? '')
      .then((sha) =>
        call('PATCH', `/messages/${message.id}`, { content, ...(sha !== undefined && { prev_content_sha256: sha }) }),
      )
      .then(onClose)
      .catch((failure: unknown) => {
        setError(reasonOf(failure));
        if (failure instanceof ApiFailure && failure.code === 'EXPECTATION_MISMATCH') load(false);
      });
  };
  return (
    <Dialog title={words.editing} onClose={onClose}>
      {error !== undefined && (
        <p role="alert" className={widgetClasses['error']}>
          {error}
        </p>
      )}
      {before === undefined ? (
        error === undefined && <Loading />
      ) : (
        <textarea
          className={widgetClasses['input']}
          aria-label={words.editing}
          rows={Math.min(12, Math.max(3, content.split('\n').length + 1))}
          value={content}
          autoFocus
          onChange={(event) => setContent(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) save();
          }}
        />
      )}
      <Buttons onCancel={onClose} cancel={words.cancel} act={words.save} onAct={save} />
    </Dialog>
  );
}

/** Undefined where the page may not hash: on plain http from another host. */
async function shaOf(text: string): Promise<string | undefined> {
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  if (subtle === undefined) return undefined;
  const hash = await subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
