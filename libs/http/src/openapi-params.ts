import { ApiExtension } from '@nestjs/swagger';
import type { ParamsClass } from './params.js';

/** Marks an operation whose parameters are yet to be described: the verb, which decides how, is not known to a decorator. */
const PARAMS_EXTENSION = 'x-params';

const classes: ParamsClass[] = [];

/** Notes on a controller's method that it takes these parameters. */
export function declareParams(target: object, key: string | symbol, type: ParamsClass): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  if (descriptor === undefined) return;
  // One key per class: decorators of several classes on one method must not overwrite each other.
  ApiExtension(`${PARAMS_EXTENSION}-${classes.push(type) - 1}`, true)(target, key, descriptor);
}

/** The class behind a key that `declareParams` left. */
export function declaredParams(extension: string): ParamsClass | undefined {
  return extension.startsWith(`${PARAMS_EXTENSION}-`)
    ? classes[Number(extension.slice(PARAMS_EXTENSION.length + 1))]
    : undefined;
}
