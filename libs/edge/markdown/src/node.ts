import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { type Formulas, providePorts } from './ports.js';

let katex: Formulas | undefined;
let load: NodeJS.Require | undefined;

/** Whether the content may have a formula, and the first formula of the process takes long: `loadFormulas` does that part. */
export function awaitsFormulas(content: string): boolean {
  return katex === undefined && /\$\$|math/i.test(content);
}

/**
 * KaTeX is loaded for the first formula, since most servers have none at the start; it takes some 50 ms. It writes
 * characters without metrics to the console, where user content must not appear, so it gets a silent console.
 */
export function loadFormulas(): Formulas {
  if (katex !== undefined) return katex;
  const filename = createRequire(import.meta.url).resolve('katex');
  const module: { exports: unknown } = { exports: {} };
  const silent = { warn: () => undefined, error: () => undefined };
  const run = compileFunction(readFileSync(filename, 'utf8'), ['module', 'exports', 'console'], { filename });
  (run as (...parameters: readonly unknown[]) => void)(module, module.exports, silent);
  katex = module.exports as Formulas;
  return katex;
}

providePorts({
  formulas: loadFormulas,
  colours: () => true,
  highlighting: (path) => {
    load ??= createRequire(import.meta.url);
    return load(`highlight.js/lib/${path}`) as unknown;
  },
});
