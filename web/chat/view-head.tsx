import type { ReactNode } from 'react';
import { IconButton } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './conversation.module.css';

/** The head of a view that other views lead to: its title, what stands beside it, and the way back where there is one pane. */
export function ViewHead(props: {
  readonly title: ReactNode;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  const { title, about, children } = props;
  return (
    <header className={classes['head']}>
      <span className={classes['back']}>
        <IconButton icon="back" label={words.back} onClick={goBack} />
      </span>
      <div className={classes['title']}>
        <h1>{title}</h1>
        {about}
      </div>
      {children}
    </header>
  );
}

/** Whoever came by a link from elsewhere has nothing to go back to on this page. */
function goBack(): void {
  if (history.length > 1) history.back();
  else location.hash = '#inbox';
}
