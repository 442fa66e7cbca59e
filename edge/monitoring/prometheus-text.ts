import type { MetricRefusal, MetricType } from './contract/metrics.ts';
import { Problem } from '../http/problem.ts';
import { type Bucket, distributionOf } from './distribution.ts';
import {
  type Labels,
  type Parsed,
  type Place,
  refusal,
  type Sample,
  shown,
  type Value,
} from './sample.ts';
import { readLine, type SampleLine } from './text-lines.ts';

interface TextOptions {
  /** The sender; otherwise the label `service`, `service_name` or `job` of each sample. */
  readonly service: string | undefined;
  /** OpenMetrics: timestamps are seconds, and a counter's samples add `_total` to its name. */
  readonly isOpenMetrics: boolean;
}

/** A text with so many invalid lines is something else. */
const MAX_REFUSALS = 10_000;

/**
 * Reads Prometheus text (0.0.4) or OpenMetrics; a line that is wrong is refused by itself.
 *
 * @throws Problem validation_failed where more than 10,000 lines are wrong
 */
export function parsePrometheusText(text: string, options: TextOptions): Parsed {
  const reader = new Reader(options);
  let line = 0;
  for (const written of lines(text)) {
    line += 1;
    if (!reader.read(written, line)) break;
    if (reader.refused > MAX_REFUSALS) {
      const detail = `expected Prometheus text: more than ${MAX_REFUSALS} of the first ${line} lines are wrong`;
      throw new Problem('validation_failed', detail);
    }
  }
  return reader.finish();
}

function* lines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end < 0 ? text.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}

/** OpenMetrics types beyond ours; their samples are read individually. */
const TYPES: Readonly<Record<string, MetricType>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
  summary: 'summary',
  untyped: 'untyped',
  unknown: 'untyped',
  info: 'gauge',
  stateset: 'gauge',
  gaugehistogram: 'untyped',
};

interface Family {
  type?: MetricType;
  help?: string;
  unit?: string;
  hasSamples: boolean;
}

/** The parts of one histogram or summary, until the text ends. */
interface Parts {
  readonly sample: Omit<Sample, 'value'>;
  readonly buckets: Bucket[];
  readonly quantiles: [number, number][];
  sum?: number;
  count?: number;
}

class Reader {
  readonly #options: TextOptions;
  readonly #families = new Map<string, Family>();
  readonly #samples: Sample[] = [];
  readonly #refusals: MetricRefusal[] = [];
  readonly #parts = new Map<string, Parts>();

  constructor(options: TextOptions) {
    this.#options = options;
  }

  get refused(): number {
    return this.#refusals.length;
  }

  /** Reads one line; false at the end marker. */
  read(text: string, line: number): boolean {
    const read = readLine(text);
    if (read.kind === 'end') return false;
    if (read.kind === 'wrong') this.#refuse({ line }, read.detail);
    else if (read.kind === 'sample') this.#sample(read, line);
    else if (read.kind === 'type') this.#type(read.name, read.text, line);
    else if (read.kind !== 'nothing') this.#family(read.name)[read.kind] = read.text;
    return true;
  }

  finish(): Parsed {
    for (const parts of this.#parts.values()) {
      const value = valueOf(parts);
      if (typeof value === 'string') {
        this.#refusals.push(refusal('invalid_sample', parts.sample.place, value));
      } else this.#samples.push({ ...parts.sample, value });
    }
    return { samples: this.#samples, refusals: this.#refusals };
  }

  #type(name: string, text: string, line: number): void {
    const family = this.#family(name);
    const type = TYPES[text];
    if (!type) return this.#refuse({ line }, `${shown(text)} is no metric type`);
    if (family.type) return this.#refuse({ line }, `the type of ${name} occurs twice`);
    if (family.hasSamples) return this.#refuse({ line }, `the type of ${name} follows its samples`);
    family.type = type;
  }

  #sample(read: SampleLine, line: number): void {
    const { name, role } = this.#roleOf(read.name);
    if (role === 'created') return;
    const family = this.#family(name);
    family.hasSamples = true;
    const { type = 'untyped' } = family;
    const labels = Object.fromEntries(read.labels);
    const service = this.#options.service ?? serviceIn(labels);
    if (service === undefined) return this.#nobody(read.name, line);
    const sample = {
      service,
      type,
      labels,
      name: role === 'total' ? read.name : name,
      unit: textOrNull(family.unit),
      help: textOrNull(family.help),
      at: this.#timeOf(read),
      temporality: 'cumulative',
      place: { line },
    } as const;
    if (type === 'histogram' || type === 'summary') this.#part(read, role, sample);
    else this.#samples.push({ ...sample, value: read.value });
  }

  #nobody(name: string, line: number): void {
    const detail = `${name} does not say which service it is of: send ?service_name= or a label service`;
    this.#refusals.push(refusal('no_service', { line }, detail));
  }

  /** One line of a histogram or summary; they join to one sample where labels and time agree. */
  #part(read: SampleLine, role: Role, sample: Omit<Sample, 'value'>): void {
    const { [markOf(sample.type)]: mark, ...labels } = sample.labels;
    const key = JSON.stringify([sample.name, sample.service, sample.at, Object.entries(labels)]);
    const parts = this.#parts.get(key) ?? {
      sample: { ...sample, labels },
      buckets: [],
      quantiles: [],
    };
    const isBucket = role === 'bucket' && mark !== undefined;
    const isQuantile = role === 'plain' && sample.type === 'summary' && mark !== undefined;
    if (role === 'sum' || role === 'count') parts[role] = read.value;
    else if (isBucket) parts.buckets.push({ le: boundOf(mark), count: read.value });
    else if (isQuantile) parts.quantiles.push([boundOf(mark), read.value]);
    else return this.#refuse(sample.place, `${read.name} is no part of a ${sample.type}`);
    this.#parts.set(key, parts);
  }

  /** The metric and role of a sample: `x_bucket` is a component of the histogram `x`. */
  #roleOf(written: string): { readonly name: string; readonly role: Role } {
    for (const [suffix, role, types] of SUFFIXES) {
      if (!written.endsWith(suffix)) continue;
      const name = written.slice(0, -suffix.length);
      const type = this.#families.get(name)?.type;
      if (type && types.includes(type)) return { name, role };
    }
    return { name: written, role: 'plain' };
  }

  #timeOf({ timestamp }: SampleLine): number | undefined {
    if (timestamp === undefined) return undefined;
    return this.#options.isOpenMetrics ? Math.round(timestamp * 1000) : timestamp;
  }

  #family(name: string): Family {
    const known = this.#families.get(name);
    if (known) return known;
    const family: Family = { hasSamples: false };
    this.#families.set(name, family);
    return family;
  }

  #refuse(place: Place, detail: string): void {
    this.#refusals.push(refusal('invalid_syntax', place, detail));
  }
}

type Role = 'plain' | 'bucket' | 'sum' | 'count' | 'total' | 'created';

/** `_total` of a counter named without it, and `_created`, come from OpenMetrics. */
const SUFFIXES: readonly (readonly [string, Role, readonly MetricType[]])[] = [
  ['_bucket', 'bucket', ['histogram']],
  ['_sum', 'sum', ['histogram', 'summary']],
  ['_count', 'count', ['histogram', 'summary']],
  ['_total', 'total', ['counter']],
  ['_created', 'created', ['counter', 'histogram', 'summary']],
];

const textOrNull = (text: string | undefined): string | null => (text ? text : null);

const serviceIn = (labels: Labels): string | undefined =>
  labels['service'] ?? labels['service_name'] ?? labels['job'];

/** The label that distinguishes the lines of one histogram or summary. */
const markOf = (type: MetricType): string => (type === 'histogram' ? 'le' : 'quantile');

const boundOf = (text: string): number => (/^\+?Inf$/.test(text) ? Infinity : Number(text));

/** The value of a histogram or summary from its lines, or why they are invalid. */
function valueOf({ sample, buckets, quantiles, sum, count }: Parts): Value | string {
  if (sample.type === 'histogram') return distributionOf({ buckets, sum, count });
  if (sum === undefined) return `the summary ${sample.name} has no sum`;
  return distributionOf({ buckets, quantiles, sum, count });
}
