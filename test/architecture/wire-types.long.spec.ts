/** The types of the client library find wrong uses of the interface, and nothing else. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');
const TEXT = readFileSync(join(ROOT, 'test/support/wire/wrong-uses.ts.txt'), 'utf8');
/** As which the compiler sees the text; the name itself would be compiled with all others. */
const FILE = join(ROOT, 'test/support/wire/wrong-uses.ts');

/** Numbers of the lines with errors. */
function linesWithErrors(): number[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, types: [] }, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, target, ...more) =>
    name === FILE ? ts.createSourceFile(name, TEXT, target) : getSourceFile.call(host, name, target, ...more);
  host.fileExists = (name) => name === FILE || fileExists.call(host, name);
  host.readFile = (name) => (name === FILE ? TEXT : readFile.call(host, name));
  const program = ts.createProgram([FILE], options, host);
  const source = program.getSourceFile(FILE);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(({ start = 0 }) => TEXT.slice(0, start).split('\n').length);
}

test('40 wrong uses are 40 errors, each in its line', () => {
  const wrong = TEXT.split('\n').flatMap((line, index) => (line.endsWith('//!') ? [index + 1] : []));
  expect(wrong).toHaveLength(40);
  expect(linesWithErrors()).toEqual(wrong);
});
