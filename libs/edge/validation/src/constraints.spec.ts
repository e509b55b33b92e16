import fc from 'fast-check';
import {
  IsBoolean,
  IsDefined,
  IsOptional,
  IsPositive,
  Length,
  Matches,
  registerDecorator,
  validateSync,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import { rounds, sized } from '#testing';
import {
  ArrayMaxSize,
  brokenConstraint,
  constraintsOf,
  IsArray,
  IsIn,
  IsInt,
  IsString,
  Max,
  MaxCharacters,
  Min,
  MinCharacters,
  stacked,
  ValidateBy,
  ValidateIf,
} from './index.js';

class Sample {
  @IsString()
  @MinCharacters(2)
  @MaxCharacters(4)
  name?: unknown;

  @ValidateIf((_, value) => value !== undefined)
  @IsInt()
  @Min(1)
  @Max(100)
  count?: unknown;

  @IsArray()
  @ArrayMaxSize(3)
  @IsInt({ each: true })
  @Min(0, { each: true })
  ids?: unknown;

  @IsIn(['a', 1, null])
  choice?: unknown;

  @IsOptional()
  @IsBoolean()
  flag?: unknown;

  @IsPositive()
  more?: unknown;
}

/** Changes only the constraints of the name. */
class Stricter extends Sample {
  @Matches(/^[a-z]+$/)
  override name?: unknown;
}

function brokenIn(sample: Sample): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [property, constraints] of constraintsOf(sample.constructor as typeof Sample)) {
    const broken = brokenConstraint(constraints, sample[property as keyof Sample], sample);
    if (broken !== undefined) found[property] = broken.name;
  }
  return found;
}

const GOOD = { name: 'abc', count: 7, ids: [0, 1], choice: 'a', flag: true, more: 1 };

test.each([
  [{}, {}],
  [{ name: 'a' }, { name: 'minCharacters' }],
  [{ name: '😀😀😀😀' }, {}],
  [{ name: '😀😀😀😀😀' }, { name: 'maxCharacters' }],
  [{ name: '❤️❤️❤️' }, { name: 'maxCharacters' }],
  [{ name: 5 }, { name: 'isString' }],
  [{ count: undefined }, {}],
  [{ count: null }, { count: 'isInt' }],
  [{ count: 0 }, { count: 'min' }],
  [{ count: 101 }, { count: 'max' }],
  [{ ids: {} }, { ids: 'isArray' }],
  [{ ids: [1, 2, 3, 'x'] }, { ids: 'arrayMaxSize' }],
  [{ ids: [-1, 'x'] }, { ids: 'isInt' }],
  [{ ids: [-1] }, { ids: 'min' }],
  [{ choice: 'b' }, { choice: 'isIn' }],
  [{ flag: null }, {}],
  [{ flag: 1 }, { flag: 'isBoolean' }],
])('%j breaks the first constraint, as they are written, that it does not meet: %j', (given, broken) => {
  expect(brokenIn(Object.assign(new Sample(), GOOD, given))).toEqual(broken);
});

test('the verdict is that of class-validator', () => {
  const value = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      true,
      'a',
      'b',
      '',
      'abcd',
      'ABC',
      '😀😀😀😀',
      '❤️❤️',
      0,
      1,
      1.5,
      100,
      101,
      -1,
      NaN,
    ),
    fc.array(fc.constantFrom(0, 1, -1, 'x', null), { maxLength: 5 }),
    fc.anything(),
  );
  const values = fc.record({ name: value, count: value, ids: value, choice: value, flag: value, more: value });
  fc.assert(
    fc.property(fc.constantFrom(Sample, Stricter), values, (type, given) => {
      const sample = Object.assign(new type(), given);
      const errors = validateSync(sample);
      const told = Object.fromEntries(
        errors.map(({ property, constraints }) => [property, Object.keys(constraints ?? {})]),
      );
      const broken = brokenIn(sample);
      expect(Object.keys(broken).sort()).toEqual(Object.keys(told).sort());
      for (const [property, name] of Object.entries(broken)) expect(told[property]).toContain(name);
    }),
    { numRuns: rounds(sized({ nightly: 500, usual: 150 })) },
  );
});

test('a subclass that constrains a property again replaces its constraints, and keeps those of others', () => {
  expect(brokenIn(Object.assign(new Stricter(), GOOD, { name: 'long enough'.repeat(9), count: 0 }))).toEqual({
    name: 'matches',
    count: 'min',
  });
});

test('several decorators as one hold in the order in which they would be written', () => {
  class Stacked {
    @stacked(IsInt(), Min(5))
    value = 'x';
  }
  const constraints = constraintsOf(Stacked).get('value');
  expect(constraints?.constraints.map(({ name, limits }) => [name, ...limits])).toEqual([['isInt'], ['min', 5]]);
});

test("words are the decorator's own, with the name that the property has outside", () => {
  class Worded {
    @Min(3, { message: 'From $constraint1 on, says $property.' })
    @Max(9)
    @ValidateBy({
      name: 'odd',
      validator: { validate: () => false, defaultMessage: (one) => `${one?.property} is odd` },
    })
    value = 4;
  }
  const { constraints = [] } = constraintsOf(Worded).get('value') ?? {};
  expect(constraints.map((one) => one.describe('the_value', 4, new Worded()))).toEqual([
    'From 3 on, says the_value.',
    'the_value must not be greater than 9',
    'the_value is odd',
  ]);
});

const slow: PropertyDecorator = (target, key) => {
  const validator = { validate: async () => true };
  registerDecorator({ name: 'slow', target: target.constructor, propertyName: String(key), async: true, validator });
};

describe('what is not looked at is refused at the start:', () => {
  const sometimes: ValidationOptions = { groups: ['admins'] };
  test.each<[string, PropertyDecorator]>([
    ['a nested object', ValidateNested()],
    ['a group', Min(1, sometimes)],
    ['a condition of one constraint', Min(1, { validateIf: () => true })],
    ['presence', IsDefined()],
    ['what takes time', slow],
  ])('%s', (_, decorate) => {
    class Unknown {
      value = 1;
    }
    decorate(Unknown.prototype, 'value');
    expect(() => constraintsOf(Unknown)).toThrow('Unknown.value');
  });

  test('and what class-validator has of its own is', () => {
    class Known {
      @Length(2, 3)
      value = 'x';
    }
    expect(
      constraintsOf(Known)
        .get('value')
        ?.constraints.map(({ name }) => name),
    ).toEqual(['isLength']);
  });
});
