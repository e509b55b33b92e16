import type { ValidationArguments, ValidatorConstraintInterface } from 'class-validator';
import { getMetadataStorage, ValidationTypes } from './class-validator.js';

type Class = abstract new (...args: never[]) => object;

type Listed = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** An entry of class-validator's storage; more fields may be missing than its types say. */
type Metadata = Omit<Listed, 'constraints' | 'groups' | 'message' | 'each'> &
  Partial<Pick<Listed, 'constraints' | 'groups' | 'message' | 'each'>>;

/** A constraint that a decorator of class-validator set on a property. */
export interface Constraint {
  /** `min`, `isIn`, …: class-validator's name, or that of a decorator of this library. */
  readonly name: string;
  /** Arguments of the decorator: a limit, a list of values. */
  readonly limits: readonly unknown[];
  /** Applies to each item of a list. */
  readonly each: boolean;
  /** Checks a value; each item when `each` is set. */
  isMet(value: unknown, object: object): boolean;
  /** Checks one value, or one item. */
  accepts(value: unknown, object: object): boolean;
  /** Text of the decorator, with the name that the property has in the input. */
  describe(property: string, value: unknown, object: object): string;
}

type Condition = (object: object, value: unknown) => boolean;

/** Constraints of a property, in the order in which they are written. */
export interface PropertyConstraints {
  /** `ValidateIf`: all must hold, or nothing is checked. */
  readonly conditions: readonly Condition[];
  readonly constraints: readonly Constraint[];
}

/**
 * The constraints of a class by property, including inherited ones. `validateSync` collects them again on each call,
 * from every decorated class; read once and cached, they cost a request a tenth of that (ADR 1). Features of
 * class-validator that this does not support (nested objects, groups, promises) are refused at the start instead of
 * being ignored.
 */
export function constraintsOf(type: Class): ReadonlyMap<string, PropertyConstraints> {
  const found = new Map<string, { conditions: Condition[]; constraints: Constraint[] }>();
  // Decorators are applied from the last to the first.
  for (const metadata of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false).reverse()) {
    const { propertyName } = metadata;
    const property = found.get(propertyName) ?? { conditions: [], constraints: [] };
    found.set(propertyName, property);
    if (isPlain(metadata, ValidationTypes.CONDITIONAL_VALIDATION))
      property.conditions.push((metadata.constraints as readonly Condition[])[0] as Condition);
    else if (isPlain(metadata, ValidationTypes.CUSTOM_VALIDATION))
      property.constraints.push(constraintOf(type, metadata));
    else throw new Error(`${type.name}.${propertyName} has a constraint that cannot be read: ${metadata.type}.`);
  }
  return found;
}

/** Of this kind, and without options that make it conditional. */
function isPlain({ type, groups, always, validateIf }: Metadata, kind: string): boolean {
  return type === kind && (groups ?? []).length === 0 && always === undefined && validateIf === undefined;
}

function constraintOf(type: Class, metadata: Metadata): Constraint {
  const [registered] = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  if (registered === undefined || registered.async)
    throw new Error(`${type.name}.${metadata.propertyName} has a constraint that takes its time.`);
  const validator: ValidatorConstraintInterface = registered.instance;
  const { propertyName, each = false } = metadata;
  const limits = (metadata.constraints ?? []) as unknown[];
  const argumentsOf = (property: string, value: unknown, object: object): ValidationArguments => {
    return { value, constraints: limits, targetName: type.name, object, property };
  };
  const accepts = (value: unknown, given: ValidationArguments): boolean => validator.validate(value, given) === true;
  return {
    name: registered.name,
    limits,
    each,
    accepts: (value, object) => accepts(value, argumentsOf(propertyName, value, object)),
    isMet(value, object) {
      const given = argumentsOf(propertyName, value, object);
      if (!each || !Array.isArray(value)) return accepts(value, given);
      for (const item of value) if (!accepts(item, given)) return false;
      return true;
    },
    describe(property, value, object) {
      const given = argumentsOf(property, value, object);
      const { message = validator.defaultMessage?.(given) ?? '' } = metadata;
      return filled(typeof message === 'string' ? message : message(given), given);
    },
  };
}

/** Replaces class-validator's tokens in the text. */
function filled(message: string, { property, constraints }: ValidationArguments): string {
  return message.replace(/\$property|\$constraint(\d+)/g, (_, place?: string) =>
    place === undefined ? property : String(constraints[Number(place) - 1]),
  );
}

/** The first constraint, in the order in which they are written, that a value violates. */
export function brokenConstraint(
  { conditions, constraints }: PropertyConstraints,
  value: unknown,
  object: object,
): Constraint | undefined {
  for (const holds of conditions) if (!holds(object, value)) return undefined;
  for (const constraint of constraints) if (!constraint.isMet(value, object)) return constraint;
  return undefined;
}
