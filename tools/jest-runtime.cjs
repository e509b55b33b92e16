// Jest's registry of modules, except that packages and the product's own modules are loaded once in a worker instead of
// once per spec file: loading them is most of what a short spec costs. Specs, their fixtures and test support are loaded
// for each spec file. So the product's modules must not keep state of an organization. A spec that mocks modules shares none.
const { default: JestRuntime } = require('jest-runtime');

const PRODUCT = /\/(?:libs(?:\/(?:engine|edge|features))?|apps)\/[^/]+\/src\//;
const TESTS = /\.(?:spec|contract|fixture)\.ts$|\/libs\/testing\//;
const isShared = (path) => path.includes('/node_modules/') || (PRODUCT.test(path) && !TESTS.test(path));

const MOCKING = /\bjest\.(?:mock|doMock|unmock|setMock|resetModules|isolateModules)/;

/** Loads what specs share; it is never torn down. */
let shared;

class SharingRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, sources, coverage, testPath, globalConfig) {
    // Jest's constructor empties the sources.
    const isAlone = MOCKING.test(sources.get(testPath));
    super(config, environment, resolver, transformer, sources, coverage, testPath, globalConfig);
    this.isAlone = isAlone;
    // While Jest watches, the next run has to see changed files.
    if (shared === undefined || globalConfig.watch || globalConfig.watchAll) {
      const itsOwn = [new Map(), coverage, testPath, globalConfig];
      shared = new JestRuntime(config, environment, resolver, transformer, ...itsOwn);
    }
  }

  requireModuleOrMock(from, name) {
    const isOfJest = name === '@jest/globals' || this._resolution.isCoreModule(name);
    const path = this.isAlone || isOfJest ? '' : this._resolution.resolveCjs(from, name);
    return isShared(path) ? shared.requireModule(path) : super.requireModuleOrMock(from, name);
  }

  getSourceMaps() {
    const own = super.getSourceMaps();
    const ofShared = shared.getSourceMaps();
    return {
      get: (path) => own.get(path) ?? ofShared.get(path),
      *[Symbol.iterator]() {
        yield* own;
        yield* ofShared;
      },
    };
  }
}

module.exports = { __esModule: true, default: SharingRuntime };
