/** Reads metrics as Prometheus does, and finds what it would refuse or warn of. */

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
const PARTS_OF_HISTOGRAMS = /_(?:bucket|sum|count)$/;

export interface ExposedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly help: string;
  type: string | undefined;
  readonly samples: ExposedSample[];
}

/** Metrics of one scrape. */
export class Exposed {
  constructor(
    readonly families: ReadonlyMap<string, Family>,
    readonly samples: readonly ExposedSample[],
  ) {}

  /** Sum of the samples with this name and at least these labels; undefined without any. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const found = this.samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
    return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
  }
}

/** @throws Error that says what is wrong with the text */
export function readExposition(text: string): Exposed {
  if (!text.endsWith('\n')) throw new Error('The text does not end with a line.');
  const families = new Map<string, Family>();
  const samples: ExposedSample[] = [];
  const seen = new Set<string>();
  let current: { name: string; family: Family } | undefined;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const fail = (reason: string): never => {
      throw new Error(`${reason}: ${line}`);
    };
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (word === 'HELP') {
      if (!NAME.test(name)) fail('no name of a metric');
      if (families.has(name)) fail('described twice');
      if (rest.trim() === '') fail('no help');
      current = { name, family: { help: rest, type: undefined, samples: [] } };
      families.set(name, current.family);
    } else if (word === 'TYPE') {
      if (current?.name !== name || current.family.type !== undefined) fail('a type in the wrong place');
      if (!['counter', 'gauge', 'histogram', 'summary'].includes(rest)) fail('no type');
      if (rest === 'counter' && !name.endsWith('_total')) fail('a counter without _total');
      if (current !== undefined) current.family.type = rest;
    } else if (!line.startsWith('#')) {
      const sample = sampleOf(line) ?? fail('no sample');
      const family = current?.family.type === 'histogram' ? sample.name.replace(PARTS_OF_HISTOGRAMS, '') : sample.name;
      if (family !== current?.name) fail('not below its description');
      const series = `${sample.name}${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(series)) fail('a series twice');
      seen.add(series);
      current?.family.samples.push(sample);
      samples.push(sample);
    }
  }
  for (const [name, { type, samples: own }] of families) if (type === 'histogram') checkHistogram(name, own);
  return new Exposed(families, samples);
}

function sampleOf(line: string): ExposedSample | undefined {
  const [, name = '', labelText = '', valueText = ''] = SAMPLE.exec(line) ?? [];
  const value = valueText === '+Inf' ? Infinity : valueText === 'Nan' ? NaN : Number(valueText);
  if (name === '' || valueText === '' || (Number.isNaN(value) && valueText !== 'Nan')) return undefined;
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labelText.length) {
    const [, label = '', content = ''] = LABEL.exec(labelText) ?? [];
    if (label === '' || label in labels) return undefined;
    labels[label] = content;
  }
  return { name, labels, value };
}

/** Buckets grow up to the number of all, which the last one has. */
function checkHistogram(name: string, samples: readonly ExposedSample[]): void {
  const bySeries = new Map<string, ExposedSample[]>();
  for (const sample of samples) {
    const { le: _, ...others } = sample.labels;
    const series = JSON.stringify(others);
    bySeries.set(series, [...(bySeries.get(series) ?? []), sample]);
  }
  for (const [series, own] of bySeries) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels['le'] === '+Inf' ? Infinity : Number(labels['le'])));
    const counts = buckets.map(({ value }) => value);
    const isGrowing = (values: readonly number[]): boolean =>
      values.every((value, n) => n === 0 || value >= (values[n - 1] ?? 0));
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    const isWhole =
      bounds.at(-1) === Infinity && counts.at(-1) === count && own.some((sample) => sample.name === `${name}_sum`);
    if (!isGrowing(bounds) || !isGrowing(counts) || !isWhole) throw new Error(`${name}${series} is no histogram.`);
  }
}
