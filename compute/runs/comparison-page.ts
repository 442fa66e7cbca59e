import { type Curve, lineChart } from './chart.ts';
import type { Comparison, Row } from './compare.ts';
import { escapeMarkup, pageOf, sectionOf, tableOf } from './markup.ts';
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
  return pageOf(`${runs.length} runs`, [
    sectionOf('Metrics', tableOf(head, starred(metrics))),
    sectionOf(
      'Settings that differ',
      settings.length > 0 ? tableOf(head, starred(settings)) : '<p>All are the same.</p>',
    ),
    sectionOf(
      'Curves',
      `<div class="charts">${chartsOf(comparison, runs)
        .map(
          ({ name, svg }) =>
            `<figure><figcaption>${escapeMarkup(name)}</figcaption>${svg}</figure>`,
        )
        .join('')}</div>`,
    ),
  ]);
}

const WIDTH = 640;
/** Of a chart and its name. */
const EACH = 290;

/** All pictures below each other in one. */
export function comparisonSvg(comparison: Comparison, runs: readonly Run[]): string {
  const charts = chartsOf(comparison, runs);
  const placed = charts.map(
    ({ name, svg }, i) =>
      `<text x="12" y="${EACH * i + 20}">${escapeMarkup(name)}</text>` +
      svg.replace('<svg ', `<svg y="${EACH * i + 28}" `),
  );
  const height = EACH * charts.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" ` +
    `font-family="system-ui, sans-serif" font-weight="bold" fill="#14201d">` +
    `<rect width="${WIDTH}" height="${height}" fill="#fcfdfb"/>${placed.join('')}</svg>\n`
  );
}

interface Chart {
  readonly name: string;
  readonly svg: string;
}

/** A picture for each metric, with a curve for each run. */
function chartsOf({ runs: names }: Comparison, runs: readonly Run[]): Chart[] {
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
  return Array.from(metrics, ([name, curves]) => ({ name, svg: lineChart(name, curves) })).flatMap(
    ({ name, svg }) => (svg === undefined ? [] : [{ name, svg }]),
  );
}
