import { bestOf, HIGHER, type Result } from './results.ts';
import { shortNumber } from './chart.ts';
import type { Run } from './read-run.ts';

/** Runs beside each other: a column for each. */
export interface Comparison {
  readonly runs: readonly string[];
  /** Metrics that some run has: where each ended, and its best. */
  readonly metrics: readonly Row[];
  /** Settings that are not the same in all. */
  readonly settings: readonly Row[];
}

/** Texts of the runs in their order. */
export interface Row {
  readonly name: string;
  readonly values: readonly string[];
  /** The column whose value is best, where one is. */
  readonly best?: number;
}

const NONE = '-';

export function compareRuns(runs: readonly Run[]): Comparison {
  const results = runs.map(({ lines }) => bestOf(lines));
  const names = new Set(results.flatMap((each) => [...each.keys()]));
  return {
    runs: namesOf(runs),
    metrics: [
      { name: 'steps', values: runs.map(({ lines }) => String(lines.at(-1)?.step ?? 0)) },
      ...[...names].flatMap((name) =>
        rowsOf(
          name,
          results.map((each) => each.get(name)),
        ),
      ),
    ],
    settings: differences(runs),
  };
}

/** Folders of the same name are told apart by a number. */
function namesOf(runs: readonly Run[]): string[] {
  return runs.map(({ name }, i) => {
    const isAlone = runs.every((other, j) => i === j || other.name !== name);
    return isAlone ? name : `${name} (${i + 1})`;
  });
}

/** More names than these find no room above a picture. */
const MAX_NAMED = 4;

/** Names in pictures: numbers where the names are too many, with a key of what they mean. */
export function picturedNames({ runs }: Comparison): {
  readonly names: readonly string[];
  readonly key: readonly string[];
} {
  if (runs.length <= MAX_NAMED) return { names: runs, key: [] };
  const names = runs.map((_, i) => `run ${i + 1}`);
  return { names, key: runs.map((run, i) => `${names[i]}: ${run}`) };
}

/** Where a metric ended and, of losses and accuracies, its best. */
function rowsOf(name: string, results: readonly (Result | undefined)[]): Row[] {
  const last = { name, values: results.map((one) => (one ? shortNumber(one.last) : NONE)) };
  const reached = results.map((one) => one?.best);
  const values = reached.filter((value) => value !== undefined);
  if (values.length === 0) return [last];
  const top = HIGHER.test(name) ? Math.max(...values) : Math.min(...values);
  const texts = results.map((one) =>
    one?.best === undefined ? NONE : `${shortNumber(one.best)} at step ${one.step}`,
  );
  const best = { name: `${name}, best`, values: texts, best: reached.indexOf(top) };
  return [last, best];
}

function differences(runs: readonly Run[]): Row[] {
  const paths = new Set(runs.flatMap(({ settings }) => [...settings.keys()]));
  return [...paths].flatMap((name) => {
    const values = runs.map(({ settings }) => settings.get(name) ?? NONE);
    return new Set(values).size > 1 ? [{ name, values }] : [];
  });
}

/** Columns of a terminal that a value takes at most. */
const MAX_COLUMNS = 32;

/** The comparison as text, each best value with a star. */
export function comparisonText({ runs, metrics, settings }: Comparison): string {
  const head: Row = { name: '', values: runs };
  const first = aligned([head, ...metrics]);
  if (runs.length === 1) return first.join('\n');
  const differing = aligned([{ ...head, name: 'settings that differ' }, ...settings]);
  return [...first, '', ...(settings.length > 0 ? differing : ['settings: the same'])].join('\n');
}

/** Rows as lines whose columns stand below each other. */
export function aligned(rows: readonly Row[]): string[] {
  const texts = rows.map(({ name, values, best }) => [
    printable(name),
    ...values.map((value, i) => printable(i === best ? `${value} *` : value)),
  ]);
  const widths = (texts[0] ?? []).map((_, i) =>
    texts.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), 0),
  );
  return texts.map((row) =>
    row
      .map((text, i) => text.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** In one line, without what a terminal would take as a command. */
function printable(text: string): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, ' ');
  return plain.length > MAX_COLUMNS ? `${plain.slice(0, MAX_COLUMNS - 1)}…` : plain;
}
