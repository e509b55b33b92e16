// Strict and type-checked. Every exception below carries its reason; one in the code needs `-- reason` behind it.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const SUPPRESSION = /^\s*eslint-(disable|enable)/;

/** `eslint-disable` without a reason is a riddle for the next reader. */
const reasonedSuppressions = {
  meta: { type: 'suggestion', schema: [], messages: { reason: 'Say why, after `--`.' } },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (!SUPPRESSION.test(comment.value) || comment.value.trim().startsWith('eslint-enable')) continue;
          const [, reason = ''] = comment.value.split(/\s--\s/);
          if (reason.trim().length < 10) context.report({ loc: comment.loc, messageId: 'reason' });
        }
      },
    };
  },
};

/** What the scripts outside TypeScript use of Node; their imports are checked by running them. */
const NODE_GLOBALS = [
  'AbortController',
  'AbortSignal',
  'Buffer',
  'clearInterval',
  'clearTimeout',
  'console',
  'fetch',
  'FormData',
  'Headers',
  'performance',
  'process',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'structuredClone',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'coverage/',
      'data/',
      'node_modules/',
      'bench/results/',
      '.ci/tmp/',
      '**/*.generated.ts',
      // They break the rules on purpose.
      'test/architecture/bad/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  {
    files: ['**/*.{ts,tsx,mjs,cjs}'],
    extends: [eslint.configs.recommended],
    plugins: { house: { rules: { 'reasoned-suppressions': reasonedSuppressions } } },
    rules: {
      'house/reasoned-suppressions': 'error',
      eqeqeq: 'error',
      'no-console': 'off',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings: it needs no code at run time.' },
      ],
    },
  },
  {
    files: ['**/*.{mjs,cjs}'],
    languageOptions: { globals: Object.fromEntries(NODE_GLOBALS.map((name) => [name, 'readonly'])) },
  },
  { files: ['**/*.cjs'], languageOptions: { globals: { module: 'writable', require: 'readonly' } } },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    // Programs that do not change take a quarter less than the service of editors. The first with the file is used.
    languageOptions: {
      parserOptions: { project: ['libs/client/tsconfig.json', 'tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        // A `default` that hands the rest to `unreachable` is the house's own way of being exhaustive.
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'all', ignoreRestSiblings: true },
      ],
      // Numbers and booleans print as anyone expects.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // There are no enums here (above), and the compiler refuses a wrong number for one of a package. It takes a twelfth of the run.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // A Nest module is an empty class under a decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // `[...text]` counts code points, which is what the limits on names and topics are about.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // Dictionaries by ID are dictionaries: their keys come and go.
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // It asks for `!`, which no-non-null-assertion refuses.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // An adapter that answers at once still owes its port a promise, and `async` turns its throws into rejections.
      '@typescript-eslint/require-await': 'off',
      // Both read well; a type is needed wherever an index signature would have to be implied.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // `{ [key: string]: … }` names its key, and recursive types cannot use Record.
      '@typescript-eslint/consistent-indexed-object-style': 'off',
    },
  },
  { files: ['web/**/*.{ts,tsx}'], languageOptions: { parserOptions: { project: ['web/tsconfig.json'] } } },
  {
    // What a component shows counts as lines of its function.
    files: ['web/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 100, skipBlankLines: true, skipComments: true }] },
  },
  {
    // Time, randomness and the environment enter these files as data.
    files: ['libs/**/*.{access,decider,events,projection}.ts', 'libs/**/projections/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
        { object: 'performance', property: 'now' },
        { property: 'randomUUID' },
        { object: 'process', property: 'env' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings: it needs no code at run time.' },
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Time arrives inside the command.',
        },
      ],
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'setImmediate', 'fetch', 'process'],
    },
  },
  {
    // Ports over events and documents of all types. The registry has checked the data of each event against the schema of its
    // type, and handlers keyed by event type (`EventHandlers`) give each handler that type.
    files: [
      'libs/engine/event-store/src/{event-store,registry}.ts',
      'libs/engine/read-store/src/projection.ts',
      'libs/engine/feed/src/log/feed-entry.ts',
    ],
    rules: { '@typescript-eslint/no-explicit-any': 'off' },
  },
  {
    files: ['**/*.{spec,contract,fixture}.ts', 'test/**/*.ts', 'libs/testing/**/*.ts'],
    rules: {
      // A test that finds nothing there fails on the spot, which is what it is for.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Answers of the server are read as they came; the expectations are their schema.
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // It would keep connections to servers that earlier specs have stopped.
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Use the one of #testing.' }],
      // A `describe` is as long as what it describes.
      'max-lines-per-function': 'off',
    },
  },
);
