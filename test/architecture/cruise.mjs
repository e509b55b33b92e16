// Cruises the whole tree and the bad examples in one run and prints each violation as JSON for rules.spec.ts. A
// separate process, because the cruiser is an ES module and the specs are compiled to CommonJS.
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
const { output } = await cruise(
  ['apps', 'libs', 'test', 'web'],
  { ...options, exclude: { path: '^dist/' } },
  undefined,
  {
    tsConfig: extractTSConfig('./tsconfig.json'),
  },
);

process.stdout.write(
  JSON.stringify({
    rules: options.ruleSet.forbidden.map(({ name }) => name),
    modules: output.modules.map(({ source, dependencies }) => ({
      source,
      dependencies: dependencies.map(({ module, resolved }) => ({ module, resolved })),
    })),
    violations: output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  }),
);
