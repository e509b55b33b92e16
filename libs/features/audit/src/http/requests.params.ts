import { Type } from 'typebox';
import { json, Param, Shape, text } from '#http';
import { MaxCharacters, MinCharacters } from '#validation';

const REASON_LENGTH_MAX = 1000;
const QUESTION_LENGTH_MAX = 60;
/** As JSON: the parameters of a question have some 2,000 characters at most. */
const PARAMETERS_LENGTH_MAX = 8_000;
const PARAMETERS_MAX = 12;

const Parameters = Shape(
  Type.Record(Type.String({ maxLength: QUESTION_LENGTH_MAX }), Type.Union([Type.String(), Type.Integer()]), {
    maxProperties: PARAMETERS_MAX,
  }),
);

/** What an auditor wants to ask. */
export class RequestParams {
  @Param(text(), { description: 'The path below `audit/`, without an ID that it ends with: `messages`, `export`.' })
  @MinCharacters(1)
  @MaxCharacters(QUESTION_LENGTH_MAX)
  question!: string;

  @Param(json({ lengthMax: PARAMETERS_LENGTH_MAX }), {
    default: {},
    description:
      'Parameters of the call by their names, `as_of` and the ID in the path among them, without the reason.',
  })
  @Parameters
  parameters!: Record<string, string | number>;

  @Param(text(), { description: 'Why you ask. Those who decide read it, and it is recorded.' })
  @MinCharacters(1)
  @MaxCharacters(REASON_LENGTH_MAX)
  reason!: string;
}

export class DecisionParams {
  @Param(text(), { description: 'Why. It is recorded, and told to who made the request.' })
  @MinCharacters(1)
  @MaxCharacters(REASON_LENGTH_MAX)
  reason!: string;
}
