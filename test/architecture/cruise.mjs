// Cruises the whole tree and the bad examples in one run and prints each violation as JSON for rules.long.spec.ts. A
// separate process, because the cruiser is an ES module and the specs are compiled to CommonJS.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const { imports } = JSON.parse(readFileSync('package.json', 'utf8'));
const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
const { forbidden } = options.ruleSet;

/** The cruiser looks for a circle through each import, which is a fifth of its time; all are found in one walk here. */
const isOfCircles = ({ to }) => to.circular === true;

/**
 * Answers for imports of our own files, which are most, without a search in the file system: `./name.js` is the source beside,
 * `#name` what package.json says. The cruiser's own resolver takes as long as all the rest of its work.
 */
const ownFiles = {
  apply(resolver) {
    const known = new Map();
    const isFile = (path) => {
      if (!known.has(path)) known.set(path, existsSync(path));
      return known.get(path);
    };
    const sourceOf = (from, name) => {
      if (name in imports) return join(process.cwd(), imports[name].types);
      if (!/^\.\.?\/.*\.js$/.test(name)) return undefined;
      const source = join(from, name).replace(/\.js$/, '.ts');
      // A script of that name goes before.
      return isFile(source) && !isFile(source.replace(/\.ts$/, '.js')) ? source : undefined;
    };
    resolver.hooks.resolve.tapAsync({ name: 'own files', stage: -10 }, (request, _context, callback) => {
      const source = sourceOf(request.path, request.request);
      return source === undefined ? callback() : callback(null, { ...request, path: source, query: '', fragment: '' });
    });
  },
};

/** @returns for each module the name of its circle; modules that are in none have names of their own */
function circlesOf(modules) {
  const importsOf = new Map(modules.map(({ source, dependencies }) => [source, dependencies.map((to) => to.resolved)]));
  const [reached, least, circle, open] = [new Map(), new Map(), new Map(), []];
  // Tarjan's: a module that reaches none before it ends a circle, whose members lie above it.
  const walk = (module) => {
    reached.set(module, reached.size);
    least.set(module, reached.get(module));
    open.push(module);
    for (const to of importsOf.get(module) ?? []) {
      if (!reached.has(to)) walk(to);
      if (!circle.has(to)) least.set(module, Math.min(least.get(module), least.get(to)));
    }
    if (least.get(module) === reached.get(module))
      for (const member of open.splice(open.indexOf(module))) circle.set(member, module);
  };
  for (const module of importsOf.keys()) if (!reached.has(module)) walk(module);
  return circle;
}

const { output } = await cruise(
  ['apps', 'libs', 'test', 'web'],
  {
    ...options,
    ruleSet: { ...options.ruleSet, forbidden: forbidden.filter((rule) => !isOfCircles(rule)) },
    exclude: { path: '^dist/' },
    skipAnalysisNotInRules: true,
  },
  { plugins: [ownFiles] },
  { tsConfig: extractTSConfig('./tsconfig.json') },
);
const circle = circlesOf(output.modules);
const inCircles = output.modules.flatMap(({ source, dependencies }) =>
  dependencies
    .filter(({ resolved }) => circle.get(resolved) === circle.get(source))
    .map(({ resolved }) => ({ from: source, to: resolved })),
);

process.stdout.write(
  JSON.stringify({
    rules: forbidden.map(({ name }) => name),
    modules: output.modules.map(({ source, dependencies }) => ({
      source,
      dependencies: dependencies.map(({ module, resolved }) => ({ module, resolved })),
    })),
    violations: [
      ...output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
      ...forbidden.filter(isOfCircles).flatMap(({ name }) => inCircles.map((edge) => ({ rule: name, ...edge }))),
    ],
  }),
);
