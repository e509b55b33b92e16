import { readMoment, readTime } from '#audit';
import { Refusal } from '#kernel';

/** Checks the value of an option or an argument. Returns a sentence that says what it must be; undefined when it is right. */
export type ValueCheck = (name: string, value: string) => string | undefined;

/** A whole number in decimal digits. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): ValueCheck {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return (name, value) => {
    const number = /^-?\d{1,16}$/.test(value) ? Number(value) : NaN;
    return number >= min && number <= max ? undefined : `${name} must be a whole number ${range}.`;
  };
}

/** A number of seconds, which may have decimals. */
export const seconds: ValueCheck = (name, value) => {
  const number = /^\d{1,9}(?:\.\d{1,3})?$/.test(value) ? Number(value) : 0;
  return number > 0 ? undefined : `${name} must be a number of seconds above 0.`;
};

export function oneOf(known: readonly string[]): ValueCheck {
  return (name, value) => (known.includes(value) ? undefined : `${name} must be one of: ${known.join(', ')}.`);
}

/** Words with commas between. */
export function listOf(known: readonly string[]): ValueCheck {
  return (name, value) =>
    value.split(',').every((word) => known.includes(word))
      ? undefined
      : `${name} must be of these, with commas between: ${known.join(', ')}.`;
}

/** A time, or a position of the log. Read as the server does, so that both take the same. */
export const moment: ValueCheck = (name, value) => refusalOf(() => readMoment(value, name));

/** A time, read as the server does. */
export const time: ValueCheck = (name, value) => refusalOf(() => readTime(name, value));

/** The address of a server, without a path. */
export const address: ValueCheck = (name, value) =>
  /^https?:\/\/[^/]+\/*$/.test(value) ? undefined : `${name} must be the address of a server: ${value} is none.`;

function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
