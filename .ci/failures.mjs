// The failed tests of one run of Jest, each with its first error: `node .ci/failures.mjs <its JSON output>`.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** All of an error but what a process has said at length. */
const LINES_OF_ONE = 40;
const LONGEST_LINE = 400;

const beginning = (error) =>
  stripVTControlCharacters(error)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('/node_modules/'))
    .slice(0, LINES_OF_ONE)
    .map((line) => `      ${line.slice(0, LONGEST_LINE)}`)
    .join('\n');

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
for (const { name, message, assertionResults } of testResults.filter(({ status }) => status === 'failed')) {
  console.log(`  ${relative('.', name)}`);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  for (const { fullName, failureMessages } of failed)
    console.log(`    ${fullName}\n${beginning(failureMessages[0] ?? '')}`);
  if (failed.length === 0) console.log(beginning(message));
}
