import { ApiExtension } from './swagger-decorators.js';
import type { ParamsClass } from '../params/params.js';

/**
 * Marks an operation whose parameters are described later: their location depends on the verb, which a decorator does
 * not know.
 */
const PARAMS_EXTENSION = 'x-params';

const classes: ParamsClass[] = [];

/** Records that a controller's method takes these parameters. */
export function declareParams(target: object, key: string | symbol, type: ParamsClass): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  if (descriptor === undefined) return;
  // One key per class, so that decorators of several classes on one method do not overwrite each other.
  ApiExtension(`${PARAMS_EXTENSION}-${classes.push(type) - 1}`, true)(target, key, descriptor);
}

/** The class of a key made by `declareParams`. */
export function declaredParams(extension: string): ParamsClass | undefined {
  return extension.startsWith(`${PARAMS_EXTENSION}-`)
    ? classes[Number(extension.slice(PARAMS_EXTENSION.length + 1))]
    : undefined;
}
