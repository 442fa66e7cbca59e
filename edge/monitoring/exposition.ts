import type { Distribution } from './distribution.ts';
import type { Described, Labels, Value } from './sample.ts';

export interface Exposed extends Described {
  readonly value: Value;
  /** Milliseconds since 1970; not written where it is undefined. */
  readonly at?: number | undefined;
}

/** Media type of the text. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Writes series as Prometheus text, grouped by metric. A name has one type there: where several types
 * share a name, all are written as untyped, and histograms and summaries as their component series. The
 * same applies where a component has the name of another metric.
 */
export function exposition(series: Iterable<Exposed>): string {
  return [...apart([...series]).entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => familyText(name, members))
    .join('');
}

/** Series by name, without histograms or summaries that share a name with something else. */
function apart(series: readonly Exposed[]): ReadonlyMap<string, readonly Exposed[]> {
  const families = Map.groupBy(series, ({ name }) => name);
  const isMixed = (one: Exposed) =>
    typeof one.value !== 'number' &&
    (families.get(one.name)?.some(({ type }) => type !== one.type) ||
      partsOf(one).some(({ suffix }) => suffix !== '' && families.has(one.name + suffix)));
  const mixed = new Set(series.filter(isMixed).map(({ name }) => name));
  if (mixed.size === 0) return families;
  // Components may have the names of further histograms; their number decreases each time.
  return apart(series.flatMap((one) => (mixed.has(one.name) ? split(one) : [one])));
}

const split = (one: Exposed): readonly Exposed[] =>
  partsOf(one).map(({ suffix, extra, value }) => ({
    ...one,
    name: one.name + suffix,
    type: 'untyped',
    labels: { ...one.labels, ...extra },
    value,
  }));

function familyText(name: string, members: readonly Exposed[]): string {
  const types = new Set(members.map(({ type }) => type));
  const [first = 'untyped'] = types;
  const help = members.find((one) => one.help !== null)?.help ?? 'Reported without a description.';
  const unit = members.find((one) => one.unit !== null)?.unit;
  const head = [
    `# HELP ${name} ${escapeText(help)}`,
    `# TYPE ${name} ${types.size > 1 ? 'untyped' : first}`,
    ...(unit ? [`# UNIT ${name} ${escapeText(unit)}`] : []),
  ];
  // A component may also be reported by itself with the same labels: one line stands for both.
  const distinct = new Map(members.map((one) => [labelText(one.labels), one]));
  return [...head, ...[...distinct.values()].flatMap(seriesLines), ''].join('\n');
}

function seriesLines(one: Exposed): readonly string[] {
  const time = one.at === undefined ? '' : ` ${one.at}`;
  return partsOf(one).map(
    ({ suffix, extra, value }) =>
      `${one.name}${suffix}${labelText({ ...one.labels, ...extra })} ${numberText(value)}${time}`,
  );
}

/** A line of a metric: the suffix of its name and the labels it adds to those of the series. */
interface Part {
  readonly suffix: '' | '_bucket' | '_sum' | '_count';
  readonly extra: Labels;
  readonly value: number;
}

function partsOf({ type, value }: Exposed): readonly Part[] {
  if (typeof value === 'number') return [{ suffix: '', extra: {}, value }];
  const parts: readonly Part[] =
    type === 'summary'
      ? quantilesOf(value).map(([quantile, v]) => ({
          suffix: '',
          extra: { quantile: numberText(quantile) },
          value: v,
        }))
      : bucketsOf(value).map(([le, count]) => ({
          suffix: '_bucket',
          extra: { le: numberText(le) },
          value: count,
        }));
  return [
    ...parts,
    { suffix: '_sum', extra: {}, value: value.sum },
    { suffix: '_count', extra: {}, value: value.count },
  ];
}

const quantilesOf = ({ quantiles = [] }: Distribution) => quantiles;

const bucketsOf = ({ le, counts, count }: Distribution): readonly (readonly [number, number])[] => [
  ...le.map((bound, i) => [bound, counts[i] ?? 0] as const),
  [Infinity, count],
];

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** A number as Prometheus writes it. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

const escapeText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const escapeLabel = (text: string): string => escapeText(text).replaceAll('"', '\\"');
