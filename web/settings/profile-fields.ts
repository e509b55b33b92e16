/** Fields of the organization in people's profiles, and what people have put into them. */
import type { Fields, State } from '#client';

/** Kinds of fields, by their numbers in the interface. */
export const FIELD = { short: 1, long: 2, choice: 3, date: 4, link: 5, people: 6, account: 7, pronouns: 8 } as const;

export interface ProfileField {
  readonly id: number;
  /** One of `FIELD`. */
  readonly type: number;
  readonly name: string;
  readonly hint: string;
  /** JSON of the options or of the account; empty for other kinds. */
  readonly field_data: string;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  /** Absent where it is not. */
  readonly display_in_profile_summary?: boolean;
}

/** A website on which people have accounts. */
export interface ExternalAccount {
  readonly name: string;
  readonly text: string;
  readonly hint: string;
  /** With `%(username)s` where the name of the account stands. */
  readonly url_pattern: string;
}

export interface Option {
  readonly key: string;
  readonly text: string;
}

type User = NonNullable<ReturnType<NonNullable<State['users']>['get']>>;

export const profileFieldsIn = (fields: Fields): readonly ProfileField[] =>
  (fields['custom_profile_fields'] ?? []) as readonly ProfileField[];

/** Those that the server knows, by their names in the interface. */
export const accountsIn = (fields: Fields): Readonly<Record<string, ExternalAccount>> =>
  (fields['realm_default_external_accounts'] ?? {}) as Readonly<Record<string, ExternalAccount>>;

export function valueOf(user: User | undefined, { id }: ProfileField): string {
  return (user?.profile_data?.[String(id)] as { readonly value?: string } | undefined)?.value ?? '';
}

/** HTML of a text; undefined for other kinds. */
export function renderedOf(user: User, { id }: ProfileField): string | undefined {
  return (user.profile_data?.[String(id)] as { readonly rendered_value?: string } | undefined)?.rendered_value;
}

/** In the order in which they are offered. */
export function optionsOf({ field_data: data }: ProfileField): readonly Option[] {
  const options = JSON.parse(data) as Readonly<Record<string, { readonly text: string; readonly order: string }>>;
  return Object.entries(options)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => ({ key, text }));
}

/** @param options in their order */
export const dataOfOptions = (options: readonly Option[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(options.map(({ key, text }, index) => [key, { text, order: String(index + 1) }]));

/** Which website it is about; `custom` for one that the organization has named itself. */
export function accountOf({ field_data: data }: ProfileField): { readonly subtype: string; readonly pattern: string } {
  const { subtype = 'custom', url_pattern: pattern = '' } = JSON.parse(data) as {
    readonly subtype?: string;
    readonly url_pattern?: string;
  };
  return { subtype, pattern };
}

export const peopleOf = (value: string): readonly number[] =>
  value === '' ? [] : (JSON.parse(value) as readonly number[]);

/** Address of somebody's account; undefined where the pattern makes none. */
export function accountAddress(field: ProfileField, value: string, fields: Fields): string | undefined {
  const { subtype, pattern } = accountOf(field);
  const template = accountsIn(fields)[subtype]?.url_pattern ?? pattern;
  const address = template.replace('%(username)s', () => encodeURIComponent(value));
  return /^https?:\/\//i.test(address) ? address : undefined;
}

/** A value in a few words, for lists; a date as the reader's language writes it. */
export function shortText(field: ProfileField, value: string): string {
  if (field.type === FIELD.choice) return optionsOf(field).find(({ key }) => key === value)?.text ?? value;
  if (field.type === FIELD.date) return dateText(value);
  return value;
}

/** What the summary of a profile says, in the order of the fields. */
export const summaryOf = (user: User, fields: Fields): readonly string[] =>
  profileFieldsIn(fields)
    .filter(({ display_in_profile_summary: isInSummary }) => isInSummary === true)
    .map((field) => shortText(field, valueOf(user, field)))
    .filter((text) => text !== '');

/** @param value such as 2024-02-29 */
function dateText(value: string): string {
  const date = new Date(`${value}T00:00`);
  return Number.isNaN(date.getTime()) ? value : date.toLocaleDateString(undefined, { dateStyle: 'long' });
}
