import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FEATURES = join(ROOT, 'test/http');

const kindsIn = (name) => JSON.parse(readFileSync(join(ROOT, 'docs/interface', name), 'utf8')).events;

/** Kinds that were delivered to no client, and kinds that were although the list says that they are not built. */
function problemsOf({ catalogue, notBuilt, delivered }) {
  const missing = catalogue.filter((kind) => !notBuilt.includes(kind) && !delivered.has(kind));
  const built = notBuilt.filter((kind) => delivered.has(kind));
  const unknown = [...delivered].filter((kind) => !catalogue.includes(kind));
  return [
    ...missing.map((kind) => `${kind}: no black-box test was delivered one`),
    ...built.map((kind) => `${kind}: delivered, but listed as not built`),
    ...unknown.map((kind) => `${kind}: delivered, but not in the catalogue`),
  ];
}

/**
 * Fails a run of all black-box suites in which some kind of client event of the catalogue reached no test client. Runs of some suites
 * say nothing about the rest, so they are not judged.
 */
export default class ClientEventKinds {
  #folder = mkdtempSync(join(tmpdir(), 'client-event-kinds-'));
  #problems = [];

  constructor(config) {
    this.config = config;
    // Workers inherit it.
    process.env.CLIENT_EVENT_KINDS = this.#folder;
  }

  onRunComplete(_contexts, { testResults, numFailedTests }) {
    const ran = new Set(testResults.map(({ testFilePath }) => testFilePath));
    const suites = readdirSync(FEATURES, { recursive: true }).filter((name) => name.endsWith('.spec.ts'));
    const isWhole = !this.config.testNamePattern && suites.every((name) => ran.has(join(FEATURES, name)));
    if (isWhole && numFailedTests === 0) {
      const delivered = new Set(
        readdirSync(this.#folder).flatMap((name) => readFileSync(join(this.#folder, name), 'utf8').trim().split('\n')),
      );
      this.#problems = problemsOf({
        catalogue: kindsIn('catalogue.json'),
        notBuilt: kindsIn('not-built.json'),
        delivered,
      });
      for (const problem of this.#problems) process.stderr.write(`${problem}\n`);
    }
    rmSync(this.#folder, { recursive: true });
  }

  getLastError() {
    return this.#problems.length === 0
      ? undefined
      : new Error(`Client events of the catalogue (docs/interface):\n${this.#problems.join('\n')}`);
  }
}
