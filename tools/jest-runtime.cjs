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

/**
 * For Jest's own note of the test that runs, which it keeps in an AsyncLocalStorage for each spec file. On Node 20 every promise,
 * timer and socket of the process would call a hook, which copies the value of each that was ever used: a fifth of the time.
 * Tests run one after another, so a variable does.
 */
class StorageOfOneTask {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, work) {
    const before = this.#store;
    const end = () => (this.#store = before);
    this.#store = store;
    let isLater = false;
    try {
      const result = work();
      isLater = typeof result?.then === 'function';
      return isLater ? Promise.resolve(result).finally(end) : result;
    } finally {
      if (!isLater) end();
    }
  }
}

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

  requireInternalModule(from, name) {
    if (name === 'node:async_hooks' && from.includes('/jest-circus/')) return { AsyncLocalStorage: StorageOfOneTask };
    return super.requireInternalModule(from, name);
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
