/** The client library as it is published, and the examples of its page in strict TypeScript. */
import { execFile } from 'node:child_process';
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const ROOT = resolve(__dirname, '../..');
const LIBRARY = join(ROOT, 'libs/client');
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');
const STRICT = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
/** The declarations of the language and of the browser, which are not ours, take half of the time. */
const OPTIONS = { ...STRICT, noEmit: true, skipDefaultLibCheck: true };
const MODULES = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] };
/** Guards against hanging only. */
const COMPILES_WITHIN_MS = 600_000;

const run = promisify(execFile);
/** What the compiler says of the project in a folder; nothing when all is well. */
const compile = async (folder: string, ...given: readonly string[]): Promise<string> => {
  const done = run(process.execPath, [COMPILER, '-p', '.', ...given], { cwd: folder });
  return (await done.catch((error: unknown) => error as { stdout: string })).stdout;
};

const examples = [...readFileSync(join(LIBRARY, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, code = '']) => code,
);

test(
  'the examples of the page compile against the package, without a cast',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-package-'));
    try {
      const library = join(folder, 'node_modules/@scrollback/client');
      mkdirSync(library, { recursive: true });
      // `npm run typecheck` checks the types of the library itself.
      expect(await compile(LIBRARY, '--noCheck', '--outDir', join(library, 'dist'))).toBe('');
      writeFileSync(join(library, 'package.json'), readFileSync(join(LIBRARY, 'package.json')));
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...OPTIONS, ...MODULES } }));
      for (const [index, code] of examples.entries()) writeFileSync(join(folder, `example-${index}.ts`), code);
      // Shows that the compiler sees them.
      writeFileSync(join(folder, 'wrong.ts'), (examples[0] ?? '').replace('sender_id', 'sender_ids'));
      const errors = (await compile(folder)).split('\n').filter((line) => /^\S/.test(line));
      expect(errors).toEqual([expect.stringMatching(/^wrong\.ts\(.*Property 'sender_ids' does not exist/)]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    expect(examples.length).toBeGreaterThan(3);
    expect(examples.filter((code) => /\bas (?!const)|\bany\b|@ts-/.test(code))).toEqual([]);
  },
  COMPILES_WITHIN_MS,
);
