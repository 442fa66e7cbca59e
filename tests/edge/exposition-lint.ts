import { expect } from 'vitest';

const LINE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\S+)(?: -?\d+)?$/;
const NUMBER = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const PARTS: Readonly<Record<string, RegExp>> = {
  histogram: /_(?:bucket|sum|count)$/,
  summary: /(?:_(?:sum|count))?$/,
};

/**
 * Violations in a text of the format 0.0.4 and of the rules that promtool warns about:
 * written from their documents, not from our writer or reader.
 */
export function faultsOf(text: string): readonly string[] {
  if (!text.endsWith('\n')) return ['the last line has no end'];
  const lines = text.split('\n').slice(0, -1);
  const heads = lines.flatMap((line) => {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    return kind === undefined ? [] : [{ kind, name, rest, key: `${kind} ${name}` }];
  });
  const types = heads.filter(({ kind }) => kind === 'TYPE');
  const helped = new Set(heads.flatMap(({ kind, name }) => (kind === 'HELP' ? [name] : [])));
  const samples = samplesIn(lines);
  return [
    ...twice(heads.map(({ key }) => key)),
    ...twice(samples.map(({ series }) => series)),
    ...types.filter(({ name }) => !helped.has(name)).map(({ name }) => `no help: ${name}`),
    ...types.flatMap(({ name, rest }) => badName(name, rest)),
    ...samples.filter(({ isOwn }) => !isOwn).map(({ line }) => `outside of its family: ${line}`),
    ...samples.filter(({ value }) => !NUMBER.test(value)).map(({ line }) => `no sample: ${line}`),
  ];
}

function samplesIn(lines: readonly string[]) {
  let family = '';
  let type = '';
  return lines.flatMap((line) => {
    const [, named, told] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (named !== undefined) [family, type] = [named, told ?? ''];
    if (line.startsWith('#')) return [];
    const [, sample = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    const own = PARTS[type];
    const isOwn = (own ? sample.replace(own, '') : sample) === family;
    return [{ line, value, isOwn, series: `${sample}{${labels}}` }];
  });
}

const twice = (all: readonly string[]): readonly string[] =>
  all.filter((one, i) => all.indexOf(one) < i).map((one) => `twice: ${one}`);

function badName(name: string, type: string): readonly string[] {
  const isTotal = name.endsWith('_total');
  return [
    ...(type === 'counter' && !isTotal ? [`a counter without _total: ${name}`] : []),
    ...(isTotal && type !== 'counter' && type !== 'untyped' ? [`no counter: ${name}`] : []),
    ...(/_(?:milli|micro|nano)seconds(?:_|$)/.test(name) ? [`no base unit: ${name}`] : []),
  ];
}

/** Fetches `/metrics` of a service and lints it. */
export async function readMetrics(base: string | URL): Promise<string> {
  const answer = await fetch(new URL('/metrics', base));
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(faultsOf(text)).toEqual([]);
  return text;
}
