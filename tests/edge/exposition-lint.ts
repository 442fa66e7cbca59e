import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';

const LINE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\S+)(?: -?\d+)?$/;
const NUMBER = /^(?:NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;
const PARTS: Readonly<Record<string, RegExp>> = {
  histogram: /_(?:bucket|sum|count)$/,
  summary: /(?:_(?:sum|count))?$/,
};

/**
 * What is wrong with a text by the rules of the format 0.0.4 and by those that promtool warns about:
 * written from their documents, not from our writer or reader.
 */
export function faultsOf(text: string): readonly string[] {
  if (!text.endsWith('\n')) return ['the last line has no end'];
  const faults: string[] = [];
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const seen = new Set<string>();
  let family = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const [, kind = '', name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP' && helped.has(name)) faults.push(`two helps: ${line}`);
    if (kind === 'HELP') helped.add(name);
    if (kind === 'TYPE') {
      if (types.has(name)) faults.push(`two types: ${line}`);
      if (!helped.has(name)) faults.push(`no help: ${line}`);
      if (rest === 'counter' && !name.endsWith('_total')) faults.push(`no _total: ${line}`);
      if (rest !== 'counter' && rest !== 'untyped' && name.endsWith('_total')) {
        faults.push(`a _total that is no counter: ${line}`);
      }
      if (
        /_(?:milli|micro|nano)?seconds_|_(?:milli|micro|nano)seconds$/.test(name) &&
        !/_seconds_total$/.test(name)
      ) {
        faults.push(`no base unit: ${line}`);
      }
      types.set(name, rest);
      family = name;
    }
    if (line.startsWith('#')) continue;
    const [, sample = '', labels = '', value = ''] = LINE.exec(line) ?? [];
    const type = types.get(family) ?? '';
    const own = PARTS[type] ? sample.replace(PARTS[type], '') : sample;
    if (own !== family) faults.push(`outside of its family ${family}: ${line}`);
    if (!NUMBER.test(value)) faults.push(`no sample: ${line}`);
    const series = `${sample}{${labels}}`;
    if (seen.has(series)) faults.push(`twice: ${series}`);
    seen.add(series);
  }
  return faults;
}

/** Prometheus's own tool is on some machines: where it is not, its look is left out and that is said. */
export const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

export function promtool(args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return `${status === 0 ? '' : `status ${status}\n`}${stderr}${stdout}`;
}

/** What a service answers at `/metrics`, after a look at all of it. */
export async function readMetrics(base: string | URL): Promise<string> {
  const answer = await fetch(new URL('/metrics', base));
  const text = await answer.text();
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  expect(faultsOf(text)).toEqual([]);
  if (hasPromtool) expect(promtool(['check', 'metrics'], text)).toBe('');
  return text;
}
