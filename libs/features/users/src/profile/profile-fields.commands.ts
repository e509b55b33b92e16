/** A field as a request describes it. */
export interface AskedField {
  readonly name: string;
  readonly hint: string;
  /** Undefined for none. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly isInSummary: boolean;
  readonly isRequired: boolean;
  readonly isEditable: boolean;
}

export type ProfileFieldRequest =
  | { readonly type: 'create-field'; readonly fieldType: number; readonly asked: AskedField }
  /** Undefined stays as it is. */
  | {
      readonly type: 'change-field';
      readonly fieldId: number;
      readonly asked: { readonly [Name in keyof AskedField]?: AskedField[Name] | undefined };
    }
  | { readonly type: 'order-fields'; readonly fieldIds: readonly number[] }
  | { readonly type: 'remove-field'; readonly fieldId: number };

/** @property at seconds since the epoch */
export type ProfileFieldCommand = ProfileFieldRequest & { readonly actorId: number; readonly at: number };
