// Compiles what tests load to CommonJS: Jest's own ES-module mode fails on Node 20 where a CommonJS package requires an ES module.
const { createHash } = require('node:crypto');
const { relative } = require('node:path');
const { version } = require('@swc/core');
const swc = require('@swc/jest');

const OPTIONS = {
  swcrc: false,
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
    target: 'es2023',
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
};
const COMPILER = `${version} ${JSON.stringify(OPTIONS)}`;

module.exports = {
  ...swc.createTransformer(OPTIONS),
  /** Without Jest's own options, which change no output: what one run has compiled, runs with other options need not. */
  getCacheKey: (source, path, { config, instrument }) =>
    createHash('sha256')
      .update([COMPILER, instrument, relative(config.rootDir, path), source].join('\0'))
      .digest('hex')
      .slice(0, 32),
};
