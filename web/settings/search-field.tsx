import type { ReactNode } from 'react';
import { widgetClasses } from '../shared/widgets.js';

/** Narrows a list below it. */
export function SearchField(props: {
  readonly label: string;
  readonly query: string;
  readonly setQuery: (query: string) => void;
}): ReactNode {
  const { label, query, setQuery } = props;
  return (
    <label className={widgetClasses['field']}>
      {label}
      <input
        className={widgetClasses['input']}
        type="search"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
    </label>
  );
}
