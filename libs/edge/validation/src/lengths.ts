import type { ValidationOptions } from 'class-validator';
import { ValidateBy } from './class-validator.js';

/**
 * Length limits in code points. class-validator's own `MinLength` and `MaxLength` ignore variation selectors, so that
 * an accepted text could exceed the limit in storage.
 */
export function MaxCharacters(max: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'maxCharacters',
      constraints: [max],
      validator: {
        validate: (value) => typeof value === 'string' && (value.length <= max || codePoints(value) <= max),
        defaultMessage: () => '$property is too long (limit: $constraint1 characters)',
      },
    },
    options,
  );
}

export function MinCharacters(min: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'minCharacters',
      constraints: [min],
      validator: {
        validate: (value) => typeof value === 'string' && (value.length >= 2 * min || codePoints(value) >= min),
        defaultMessage: () => '$property is too short (limit: $constraint1 characters)',
      },
    },
    options,
  );
}

function codePoints(value: string): number {
  let count = 0;
  for (let i = 0; i < value.length; i++) {
    count++;
    if ((value.codePointAt(i) ?? 0) > 0xffff) i++;
  }
  return count;
}
