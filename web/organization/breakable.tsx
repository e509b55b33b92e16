import { Fragment, type ReactNode } from 'react';

/** Text with e-mail addresses, which break before the @ and the dots where a line has no room for them. */
export function breakable(text: string): ReactNode {
  return text.split(/(?=@|\.\w)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
