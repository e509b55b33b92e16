import { ProgressBar } from './progress-bar.js';

function drawing(canRedraw: boolean) {
  const [drawn, told]: [string[], string[]] = [[], []];
  let now = 0;
  const redraw = (line: string): void => void drawn.push(line);
  const terminal = { tell: (line: string) => void told.push(line), ...(canRedraw ? { redraw } : {}) };
  const bar = new ProgressBar(terminal, 'Importing', 'messages', () => now);
  return { bar, drawn, told, pass: (ms: number) => (now += ms) };
}

test('a bar is drawn anew in its place, not too often, and stays at the end', () => {
  const { bar, drawn, told, pass } = drawing(true);
  bar.show(0, 10_000);
  pass(100);
  bar.show(1, 10_000);
  pass(900);
  bar.show(5_000, 10_000);
  pass(1_000);
  bar.end(10_000);
  expect(drawn).toEqual([
    'Importing [------------------------------]   0 %  0 messages, 0/s',
    'Importing [###############---------------]  50 %  5,000 messages, 5,000/s',
    '',
  ]);
  expect(told).toEqual(['Importing [##############################] 100 %  10,000 messages, 5,000/s']);
});

test('into a file it is a line now and then', () => {
  const { bar, told, pass } = drawing(false);
  for (let second = 0; second < 25; second++) {
    bar.show(second, 0);
    pass(1_000);
  }
  expect(told).toHaveLength(3);
});
