import { Param, text } from '#http';
import { MaxCharacters } from '#validation';

/** Longer than any field of a form may be: the page itself says which length is allowed. */
const FIELD_LENGTH_MAX = 1_000;

/** Declares a property as a text field of a form. An absent one is empty: what is wrong with a field is said by its page, and not as for clients. */
export function FormField(): PropertyDecorator {
  return (target, key) => {
    // In the order in which decorators apply, from the lowest up.
    MaxCharacters(FIELD_LENGTH_MAX)(target, key);
    Param(text(), { default: '' })(target, String(key));
  };
}
