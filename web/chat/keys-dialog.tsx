import type { ReactNode } from 'react';
import { dialogWords as words } from '../shared/en-dialogs.js';
import { Buttons, Dialog } from '../shared/widgets.js';

/** The keys of the page, and what they do. */
export default function KeysDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const keys: readonly (readonly [string, string])[] = [
    ['j  k  ↑  ↓', words.keyNext],
    ['r', words.keyCompose],
    ['i', words.keyInbox],
    ['n', words.keyNextUnread],
    ['e  m  f', words.keyRead],
    ['Ctrl K  /', words.keyGoTo],
    ['>', words.keyQuote],
    ['*', words.keyStar],
    ['+', words.keyReact],
    ['p', words.keyPlay],
    ['Enter', words.keyMenu],
    ['u', words.keyUndo],
    ['↑', words.keyEditLast],
    ['Esc', words.keyEscape],
    [',  .', words.keyPast],
    ['?', words.keyHelp],
  ];
  return (
    <Dialog title={words.keys} onClose={onClose}>
      <dl style={{ display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '6px 16px', margin: 0 }}>
        {keys.map(([key, text]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt style={{ fontFamily: 'var(--mono)', whiteSpace: 'pre' }}>{key}</dt>
            <dd style={{ margin: 0 }}>{text}</dd>
          </div>
        ))}
      </dl>
      <Buttons cancel={words.close} onCancel={onClose} />
    </Dialog>
  );
}
