// Jest's registry of modules, except that packages are loaded by Node, and that they and the product's own modules are loaded once
// in a worker instead of once per spec file: loading them is most of what a short spec costs. Specs, their fixtures and most of test
// support are loaded for each spec file. So the product's modules must not keep state of an organization. A spec that mocks modules shares
// none of the product's.
const { createRequire } = require('node:module');
const { default: JestRuntime } = require('jest-runtime');

const PRODUCT = /\/(?:libs(?:\/(?:engine|edge|features))?|apps)\/[^/]+\/src\//;
const TESTS = /\.(?:spec|contract|fixture)\.ts$|\/libs\/testing\//;
/** What compares each answer with its schemas, and keeps no state but what it compiles from them. */
const COMPARISON = /\/test\/support\/(?:reader\/|wire\/(?:check|schemas)\.ts$)/;
const isShared = (path) => (PRODUCT.test(path) && !TESTS.test(path)) || COMPARISON.test(path);
const isPackage = (path) => path.includes('/node_modules/');

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

/** From among the packages: elsewhere Node warns that it loads an ES module. */
const requirePackage = createRequire(require.resolve('jest-runtime'));

class SharedRuntime extends JestRuntime {
  requireModuleOrMock(from, name) {
    const path = this._resolution.isCoreModule(name) ? '' : this._resolution.resolveCjs(from, name);
    return isPackage(path) ? requirePackage(path) : super.requireModuleOrMock(from, name);
  }
}

class SharingRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, sources, coverage, testPath, globalConfig) {
    // Jest's constructor empties the sources.
    const source = sources.get(testPath);
    super(config, environment, resolver, transformer, sources, coverage, testPath, globalConfig);
    this.isAlone = MOCKING.test(source);
    this.mocks = (name) => this.isAlone && source.includes(`jest.mock('${name}'`);
    // While Jest watches, the next run has to see changed files.
    if (shared === undefined || globalConfig.watch || globalConfig.watchAll) {
      const itsOwn = [new Map(), coverage, testPath, globalConfig];
      shared = new SharedRuntime(config, environment, resolver, transformer, ...itsOwn);
    }
  }

  requireModuleOrMock(from, name) {
    const isOfJest = name === '@jest/globals' || this._resolution.isCoreModule(name) || this.mocks(name);
    const path = isOfJest ? '' : this._resolution.resolveCjs(from, name);
    if (isPackage(path)) return requirePackage(path);
    return isShared(path) && !this.isAlone ? shared.requireModule(path) : super.requireModuleOrMock(from, name);
  }

  requireInternalModule(from, name) {
    if (name === undefined || name.startsWith('.') || !from.includes('/jest-circus/'))
      return super.requireInternalModule(from, name);
    if (name === 'node:async_hooks') return { AsyncLocalStorage: StorageOfOneTask };
    // Only jest-circus keeps what one spec file declares; expect and what else it uses is loaded once.
    return createRequire(from)(name);
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
