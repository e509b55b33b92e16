// Tests are compiled to CommonJS, ES-module packages included: Jest's own ES-module mode fails on Node 20 where a CommonJS package requires an ES module.
const compile = [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
      target: 'es2023',
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/apps/**/*.spec.ts', '<rootDir>/libs/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  transform: { '^.+\\.[cm]?[jt]s$': compile },
  transformIgnorePatterns: [
    '/node_modules/(?!(@nestjs|file-type|strtok3|token-types|uint8array-extras|@tokenizer|@borewit|cookie|typebox|markdown-it|linkify-it|mdurl|uc\\.micro|entities|punycode\\.js|content-disposition|stemmer)/)',
  ],
  moduleNameMapper: {
    '^#([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  setupFiles: ['<rootDir>/libs/testing/src/chance.ts'],
  // More rounds may take longer.
  testTimeout: 30_000 * Math.max(1, Number(process.env.FUZZ ?? 1)),
  // Most of the time is spent waiting for disks, sockets and children.
  maxWorkers: 3,
};
