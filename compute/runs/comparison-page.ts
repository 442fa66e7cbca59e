import { CHART, chartsOf, type Curve } from './chart.ts';
import { type Comparison, picturedNames, type Row } from './compare.ts';
import { escapeMarkup, figureOf, gridOf, pageOf, sectionOf, tableOf } from './markup.ts';
import { numbersOf } from './metrics-file.ts';
import type { Run } from './read-run.ts';
import { UNDRAWN } from './results.ts';

/** The best value of a row has a star. */
const starred = (rows: readonly Row[]): string[][] =>
  rows.map(({ name, values, best }) => [
    name,
    ...values.map((value, i) => (i === best ? `${value} *` : value)),
  ]);

/** Runs as a page of tables and pictures that needs nothing else. */
export function comparisonPage(comparison: Comparison, runs: readonly Run[]): string {
  const head = ['', ...comparison.runs];
  const { metrics, settings } = comparison;
  const figures = picturesOf(comparison, runs).map(({ name, svg }) => figureOf(name, svg));
  const key = picturedNames(comparison)
    .key.map((line) => `<p>${escapeMarkup(line)}</p>`)
    .join('');
  return pageOf(`${runs.length} runs`, [
    sectionOf('Metrics', tableOf(head, starred(metrics))),
    sectionOf(
      'Settings that differ',
      settings.length > 0 ? tableOf(head, starred(settings)) : '<p>All are the same.</p>',
    ),
    sectionOf('Curves', key + gridOf(figures)),
  ]);
}

/** Above a chart, for its name. */
const TITLE = 28;
/** Of text. */
const LINE = 18;

/** All pictures below each other in one. */
export function comparisonSvg(comparison: Comparison, runs: readonly Run[]): string {
  const each = CHART.height + TITLE;
  const placed = picturesOf(comparison, runs).map(
    ({ name, svg }, i) =>
      `<text x="12" y="${each * i + 20}">${escapeMarkup(name)}</text>` +
      svg.replace('<svg ', `<svg y="${each * i + TITLE}" `),
  );
  const { key } = picturedNames(comparison);
  const lines = key.map((line, i) => {
    const y = each * placed.length + LINE * (i + 1);
    return `<text x="12" y="${y}" font-weight="normal">${escapeMarkup(line)}</text>`;
  });
  const [width, height] = [CHART.width, each * placed.length + LINE * (lines.length + 1)];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `font-family="system-ui, sans-serif" font-weight="bold" fill="#14201d">` +
    `<rect width="${width}" height="${height}" fill="#fcfdfb"/>${[...placed, ...lines].join('')}</svg>\n`
  );
}

interface Chart {
  readonly name: string;
  readonly svg: string;
}

/** A picture for each metric, with a curve for each run. */
function picturesOf(comparison: Comparison, runs: readonly Run[]): Chart[] {
  const { names } = picturedNames(comparison);
  const metrics = new Map<string, Curve[]>();
  for (const [i, { lines }] of runs.entries()) {
    const own = new Map<string, [number, number][]>();
    for (const line of lines) {
      for (const [name, value] of numbersOf(line)) {
        if (UNDRAWN.has(name) || name.includes('/')) continue;
        const points = own.get(name) ?? [];
        points.push([line.step, value]);
        own.set(name, points);
      }
    }
    for (const [metric, points] of own) {
      const curves = metrics.get(metric) ?? [];
      curves.push({ name: names[i] ?? '', points });
      metrics.set(metric, curves);
    }
  }
  return [...metrics].flatMap(([name, curves]) =>
    chartsOf(name, curves).map((svg) => ({ name, svg })),
  );
}
