import { ValidateBy } from '#validation';

/** Message of the error that reading a value throws; undefined when it can be read. */
export function complaintOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'it cannot be used.';
  }
}

/**
 * Constraint that explains itself.
 * @param complain says why the text is invalid, given the object with all settings; undefined when it is valid
 */
export function complaining(
  name: string,
  complain: (text: string, settings: object) => string | undefined,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (text: string, given) => complain(text, given?.object ?? {}) === undefined,
      defaultMessage: (given) => `$property: ${complain(String(given?.value), given?.object ?? {})}`,
    },
  });
}
