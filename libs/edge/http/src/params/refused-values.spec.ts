import { Type } from 'typebox';
import { Refusal } from '#kernel';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxCharacters,
  Min,
  stacked,
  ValidateBy,
} from '#validation';
import { Param, readParams } from './params.js';
import { Shape, ShapeOrText } from './shapes.js';
import { integer, json, jsonOrText, nullable, text } from './wire-types.js';

const optional = { optional: true };

class Params {
  @Param(integer(), optional)
  @Min(5)
  @Max(7)
  number?: number;

  @Param(json(), optional)
  @IsArray()
  @ArrayMaxSize(5_000)
  @IsInt({ each: true })
  @Min(0, { each: true })
  ids?: number[];

  @Param(json(), optional)
  @stacked(IsArray(), ArrayMaxSize(3), IsString({ each: true }), MaxCharacters(2, { each: true }))
  words?: string[];

  @Param(json(), optional)
  @IsInt({ each: true })
  loose?: number | number[];

  @Param(json(), optional)
  @Shape(Type.Array(Type.Object({ name: Type.String() }), { maxItems: 2 }))
  named?: { name: string }[];

  @Param(jsonOrText(), optional)
  @ShapeOrText(Type.Integer({ minimum: 1 }))
  seconds?: number | string;

  @Param(jsonOrText(), optional)
  @IsString()
  @IsIn(['a', 'b'])
  letter?: string;

  @Param(nullable(integer()), optional)
  @Min(1)
  folder?: number | null;

  @Param(text(), { ...optional, aliases: ['colour'] })
  @ValidateBy({
    name: 'isHue',
    validator: { validate: (value) => value === 'red', defaultMessage: () => 'No such $property' },
  })
  color?: string;
}

/** Code of the refusal, or the parsed parameters. */
function outcome(given: Record<string, string>): unknown {
  try {
    const { params } = readParams(Params, Object.assign(Object.create(null) as object, given));
    return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
  } catch (error) {
    if (error instanceof Refusal) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const LONG = JSON.stringify([...Array<number>(5_000).fill(1234), 'x'].slice(1));

test.each([
  ['number', '4', 'BAD_REQUEST: number is too small (limit: 5)'],
  ['number', '8', 'BAD_REQUEST: number is too large (limit: 7)'],
  ['number', '6.0', "REQUEST_VARIABLE_INVALID: Bad value for 'number': 6.0"],
  ['ids', '{}', 'BAD_REQUEST: ids must be array'],
  ['ids', ' null', 'BAD_REQUEST: ids must be array'],
  ['ids', '[-1,"x"]', 'BAD_REQUEST: ids[0] must be >= 0'],
  ['ids', '[1,"x",-1]', 'BAD_REQUEST: ids[1] must be integer'],
  ['ids', LONG, 'BAD_REQUEST: ids does not have the expected form'],
  ['ids', JSON.stringify(Array(5_001).fill('x')), 'BAD_REQUEST: ids has too many items (limit: 5000)'],
  ['words', '["a","abc"]', 'BAD_REQUEST: words[1] must not have more than 2 characters'],
  ['words', '["😀😀",1]', 'BAD_REQUEST: words[1] must be string'],
  ['loose', '"x"', 'BAD_REQUEST: loose must be integer'],
  ['named', '[{"name":1}]', 'BAD_REQUEST: named[0]["name"] must be string'],
  ['named', '[1,2,3]', 'BAD_REQUEST: named has too many items (limit: 2)'],
  ['named', `"${'x'.repeat(20_000)}"`, 'BAD_REQUEST: named does not have the expected form'],
  ['seconds', '0', 'BAD_REQUEST: seconds must be >= 1'],
  ['seconds', '1.5', 'BAD_REQUEST: seconds must be integer'],
  ['letter', '5', 'BAD_REQUEST: letter must be string'],
  ['letter', 'c', 'BAD_REQUEST: Invalid letter. It must be one of: a, b'],
  ['folder', '0', 'BAD_REQUEST: folder is too small (limit: 1)'],
  ['color', 'blue', 'BAD_REQUEST: No such color'],
  ['colour', 'blue', 'BAD_REQUEST: No such colour'],
])('%s=%.20s is refused in these words: %s', (name, value, refusal) => {
  expect(outcome({ [name]: value })).toBe(refusal);
});

test.each([
  ['ids', '[]', []],
  ['seconds', 'soon', 'soon'],
  ['letter', '"a"', 'a'],
  ['folder', 'null', null],
  ['words', '["😀😀"]', ['😀😀']],
])('%s=%s is %j', (name, value, read) => {
  expect(outcome({ [name]: value })).toEqual({ [name]: read });
});

test('of several parameters, the first that is declared is told', () => {
  expect(outcome({ color: 'blue', words: '[', number: '9' })).toMatch(/number is too large/);
  expect(outcome({ color: 'blue', words: '[' })).toMatch(/'words'/);
});

test('a constraint on a property that is no parameter is a mistake', () => {
  class Mistaken {
    @Min(1)
    count = 1;
  }
  expect(() => readParams(Mistaken, {})).toThrow('Mistaken.count');
});
