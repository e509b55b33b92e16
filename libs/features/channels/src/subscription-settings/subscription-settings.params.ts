import { Type } from 'typebox';
import { json, jsonOrText, Param, Shape, ShapeOrText, text } from '#http';
import { MaxCharacters } from '#validation';

const SETTINGS_MAX = 1000;
const PROPERTY_LENGTH_MAX = 100;

/** Longer than any value of a setting. */
const Value = Type.Union([Type.Boolean(), Type.String({ maxLength: 100 })]);

export class SubscriptionPropertiesParams {
  @Param(json())
  @Shape(
    Type.Array(
      Type.Object({
        stream_id: Type.Integer({ minimum: 1 }),
        property: Type.String({ maxLength: PROPERTY_LENGTH_MAX }),
        value: Value,
      }),
      { maxItems: SETTINGS_MAX },
    ),
  )
  subscription_data!: { stream_id: number; property: string; value: boolean | string }[];
}

export class SubscriptionPropertyParams {
  @Param(text())
  @MaxCharacters(PROPERTY_LENGTH_MAX)
  property!: string;

  @Param(jsonOrText(), { description: 'JSON; a colour also as plain text.' })
  @ShapeOrText(Value)
  value!: boolean | string;
}
