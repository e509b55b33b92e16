import { type ReactNode, useId, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { Problem, widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from './panes.js';

/** More are found by a longer part of the name. */
const OFFERED_MAX = 50;

/** Chooses somebody by a part of their name. The list is the browser's own. */
export function PersonPicker(props: {
  readonly label: string;
  /** Who cannot be chosen. */
  readonly excluded: readonly number[];
  readonly choose: (userId: number) => void;
}): ReactNode {
  const { label, excluded, choose } = props;
  const { users } = useModel();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const wanted = text.trim().toLowerCase();
  const left = [...(users?.values() ?? [])].filter(({ user_id }) => !excluded.includes(user_id));
  const offered = left.filter(({ full_name }) => full_name.toLowerCase().includes(wanted)).slice(0, OFFERED_MAX);
  const take = (): void => {
    const found = left.filter(({ full_name }) => full_name.toLowerCase() === wanted);
    const [one] = found.length > 0 ? found : offered;
    if (one === undefined || (found.length === 0 && offered.length > 1)) setProblem(words.unknownName(text.trim()));
    else {
      choose(one.user_id);
      setText('');
    }
  };
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault();
        take();
      }}
    >
      <label className={widgetClasses['field']}>
        {label}
        <input
          className={widgetClasses['input']}
          list={id}
          value={text}
          required
          autoComplete="off"
          aria-invalid={problem !== undefined}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setProblem(undefined);
          }}
        />
      </label>
      <datalist id={id}>
        {offered.map(({ user_id, full_name }) => (
          <option key={user_id} value={full_name} />
        ))}
      </datalist>
      <button type="submit" className={widgetClasses['button']}>
        {words.add}
      </button>
      <Problem reason={problem} />
    </form>
  );
}
