import { type Cookies, CsrfToken, type Html, html } from '#http';

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'password';
  /** What browsers and password managers fill in. */
  readonly autocomplete: 'name' | 'email' | 'current-password' | 'new-password' | 'username';
  readonly value?: string;
  readonly hint?: string;
  /** Why the value was refused. */
  readonly error?: string | undefined;
  readonly isReadOnly?: boolean;
}

export interface Form {
  /** Path of this server to which the form is sent. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
  /** Between the fields and the button. */
  readonly more?: Html | undefined;
  readonly button: string;
  /** Why the form as a whole was refused. */
  readonly error?: string | undefined;
}

/** A form that works without scripts. Focus is on the first field that was refused, or else on the first to be filled in. */
export function formOf(cookies: Cookies, { action, hidden = {}, fields, more, button, error }: Form): Html {
  const writable = fields.filter(({ isReadOnly }) => isReadOnly !== true);
  const focused = writable.find((field) => field.error !== undefined) ?? writable[0];
  const constant = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`${error === undefined ? undefined : html`<p role="alert">${error}</p>`}
    <form method="post" action="${action}">
      ${CsrfToken.of(cookies).field}${constant}${fields.map((field) => fieldOf(field, field === focused))}${more}
      <button type="submit">${button}</button>
    </form>`;
}

function fieldOf(field: Field, hasFocus: boolean): Html {
  const { name, label, type, autocomplete, value = '', hint, error, isReadOnly = false } = field;
  const described = [hint === undefined ? [] : `${name}-hint`, error === undefined ? [] : `${name}-error`].flat();
  const attributes = [
    html`id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" value="${value}"`,
    ...(isReadOnly ? [html` readonly`] : [html` required`]),
    ...(described.length === 0 ? [] : [html` aria-describedby="${described.join(' ')}"`]),
    ...(error === undefined ? [] : [html` aria-invalid="true"`]),
    ...(hasFocus ? [html` autofocus`] : []),
  ];
  return html`<label for="${name}">${label}</label>
    ${hint === undefined ? undefined : html`<p id="${name}-hint">${hint}</p>`}
    <input ${attributes} />
    ${error === undefined ? undefined : html`<p id="${name}-error" role="alert">${error}</p>`}`;
}
