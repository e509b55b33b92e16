import { Type } from 'typebox';
import { boolean, integer, json, Param, Shape, text } from '#http';
import { ArrayMaxSize, IsArray, IsInt, MaxCharacters } from '#validation';
import type { AskedProfileValue } from './profile-data.decider.js';

/** Lengths as they are written, before normalization; the field's own limits are lower. */
const TEXT_LENGTH_MAX = 1_000;
/** More than there can be fields. */
const FIELDS_MAX = 1_000;

const Given = Type.Union([Type.String(), Type.Array(Type.Integer())]);
const valuesOf = (value: typeof Given | ReturnType<typeof orNothing>) =>
  Type.Array(Type.Object({ id: Type.Integer(), value }), { maxItems: FIELDS_MAX });
const orNothing = () => Type.Union([Given, Type.Null()]);

/** Values of a profile as an administrator gives them: null or empty removes one. */
export const ProfileDataSchema = valuesOf(orNothing());

/** One value as a request gives it. */
export interface GivenProfileValue {
  readonly id: number;
  readonly value: string | number[] | null;
}

export function askedValues(given: readonly GivenProfileValue[]): AskedProfileValue[] {
  return given.map(({ id, value }) => ({ fieldId: id, value }));
}

export class ChangeProfileParams {
  @Param(json(), { description: 'Values by the IDs of the fields.' })
  @Shape(valuesOf(Given))
  data!: GivenProfileValue[];
}

export class ClearProfileParams {
  @Param(json(), { description: 'IDs of the fields.' })
  @IsArray()
  @ArrayMaxSize(FIELDS_MAX)
  @IsInt({ each: true })
  data!: number[];
}

export class ChangeFieldParams {
  @Param(text(), { optional: true })
  @MaxCharacters(TEXT_LENGTH_MAX)
  name?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(TEXT_LENGTH_MAX)
  hint?: string;

  @Param(json(), { optional: true, description: 'Choices, or the kind of external account.' })
  @Shape(Type.Record(Type.String(), Type.Unknown()))
  field_data?: Record<string, unknown>;

  @Param(boolean(), { optional: true })
  display_in_profile_summary?: boolean;

  @Param(boolean(), { optional: true })
  required?: boolean;

  @Param(boolean(), { optional: true })
  editable_by_user?: boolean;
}

export class CreateFieldParams extends ChangeFieldParams {
  @Param(integer(), {
    description: '1 short text, 2 paragraph, 3 options, 4 date, 5 link, 6 users, 7 external account, 8 pronouns.',
  })
  field_type!: number;
}

export class OrderFieldsParams {
  @Param(json(), { description: 'All IDs, in the new order.' })
  @IsArray()
  @ArrayMaxSize(FIELDS_MAX)
  @IsInt({ each: true })
  order!: number[];
}
