import type { Distribution } from './distribution.ts';
import type { Labels } from './labels.ts';
import type { Described, Value } from './sample.ts';

export interface Exposed extends Described {
  readonly value: Value;
  /** Milliseconds since 1970; not written where it is undefined. */
  readonly at?: number | undefined;
}

/** Media type of the text. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Prometheus text of series, grouped by metric as its format wants it. A name has one type: series
 * of another service that use it for another type are left out, and a comment says so.
 */
export function exposition(series: Iterable<Exposed>): string {
  const families = new Map<string, Exposed[]>();
  for (const one of series) {
    const family = families.get(one.name);
    if (family) family.push(one);
    else families.set(one.name, [one]);
  }
  return [...families.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => familyText(name, members))
    .join('');
}

function familyText(name: string, members: readonly Exposed[]): string {
  const [first] = members;
  if (!first) return '';
  const { type } = first;
  const help = members.find((one) => one.help !== null)?.help ?? 'Reported without a description.';
  const unit = members.find((one) => one.unit !== null)?.unit;
  const shown = members.filter((one) => one.type === type);
  const others = members.filter((one) => one.type !== type);
  const head = [
    `# HELP ${name} ${escapeText(help)}`,
    `# TYPE ${name} ${type}`,
    ...(unit ? [`# UNIT ${name} ${escapeText(unit)}`] : []),
    ...others.map((one) => `# left out: ${one.type} ${name} of ${one.service}`),
  ];
  return [...head, ...shown.flatMap(seriesLines), ''].join('\n');
}

function seriesLines({ name, type, labels, value, at }: Exposed): readonly string[] {
  const time = at === undefined ? '' : ` ${at}`;
  const line = (suffix: string, extra: Labels, number: number) =>
    `${name}${suffix}${labelText({ ...labels, ...extra })} ${numberText(number)}${time}`;
  if (typeof value === 'number') return [line('', {}, value)];
  const parts =
    type === 'summary'
      ? quantilesOf(value).map(([quantile, v]) => line('', { quantile: numberText(quantile) }, v))
      : bucketsOf(value).map(([le, count]) => line('_bucket', { le: numberText(le) }, count));
  return [...parts, line('_sum', {}, value.sum), line('_count', {}, value.count)];
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

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

const escapeText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const escapeLabel = (text: string): string => escapeText(text).replaceAll('"', '\\"');
