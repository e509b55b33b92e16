// Jest's environment for Node, without a context of its own for each spec. In a context of Jest every use of a global
// (Math, Object, Date) calls an interceptor, and V8 optimizes all code anew; without, pure calculations take half the time. A
// spec that replaces something global has to put it back; what Jest itself leaves there is removed here.
import vm from 'node:vm';
import { LegacyFakeTimers, ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** A worker that has nothing left to do ends at once: Node would free each object first, for longer than Jest waits. */
if (process.send !== undefined) process.once('beforeExit', () => process.exit());

const { compileFunction } = vm;
/** Stands for the context of the process, for which Node has no such object. */
const MAIN_CONTEXT = vm.createContext({});
/** By file name: a worker compiles each module once instead of once per spec file. */
const scripts = new Map();

function scriptOf(source, parameters, filename) {
  const known = scripts.get(filename);
  if (known?.source === source) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
  scripts.set(filename, { source, script });
  return script;
}

/** Jest calls this for each module. Imports that are not compiled to require() fail, as without this. */
vm.compileFunction = (source, parameters, options) =>
  options?.parsingContext === MAIN_CONTEXT && options.filename !== undefined
    ? scriptOf(source, parameters, options.filename).runInThisContext()
    : compileFunction(source, parameters, options);

/** Jest's own: listeners and settings of a spec, which the next one would inherit. */
const isStateOfSpec = ({ description }) =>
  ['EVENT_HANDLERS', 'JEST_STATE_SYMBOL', 'TEST_TIMEOUT_SYMBOL'].includes(description) ||
  description?.startsWith('RETRY_') === true;

const timerConfig = {
  idToRef: (id) => ({
    id,
    ref() {
      return this;
    },
    unref() {
      return this;
    },
  }),
  refToId: (timer) => timer?.id,
};

export default class MainContextEnvironment {
  global = globalThis;
  #console = console;
  #environment = { ...process.env };
  #exit = process.exit;
  #getBuiltinModule = process.getBuiltinModule;
  #globals = Object.getOwnPropertyDescriptors(globalThis);

  constructor({ projectConfig: config }) {
    const global = globalThis;
    this.moduleMocker = new ModuleMocker(global);
    this.fakeTimers = new LegacyFakeTimers({ config, global, moduleMocker: this.moduleMocker, timerConfig });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  setup() {}

  teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    globalThis.console = this.#console;
    process.exit = this.#exit;
    if (this.#getBuiltinModule !== undefined) process.getBuiltinModule = this.#getBuiltinModule;
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#environment)) delete process.env[name];
    }
    Object.assign(process.env, this.#environment);
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      if (isStateOfSpec(key)) delete globalThis[key];
    }
    // Packages for old versions of Node replace fetch and FormData. What they add stays, since they are loaded once.
    for (const [name, before] of Object.entries(this.#globals)) {
      const now = Object.getOwnPropertyDescriptor(globalThis, name);
      const isReplaced = now === undefined || now.value !== before.value || now.get !== before.get;
      if (isReplaced && before.configurable) Object.defineProperty(globalThis, name, before);
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return MAIN_CONTEXT;
  }
}
