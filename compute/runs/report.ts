import { basename, join, resolve } from 'node:path';
import type { Floor, Observation } from '../../engine/index.ts';
import { chartsOf, type Curve } from './chart.ts';
import { escapeMarkup, figureOf, gridOf, pageOf, sectionOf, tableOf } from './markup.ts';
import { type MetricLine, numbersOf } from './metrics-file.ts';
import { resultsOf, UNDRAWN } from './results.ts';
import { REPORT, writeWhole } from './run-files.ts';
import { spikePictures } from './spikes.ts';

/** A run as its report shows it. */
interface RunReport {
  readonly config: object;
  readonly lines: readonly MetricLine[];
  /** Spikes per neuron and time step, by layer. */
  readonly rates?: Readonly<Record<string, number>>;
  /** Layers while they read examples, of which the first is drawn. */
  readonly observation?: Observation | undefined;
  /** Examples of each class, by row, that were taken to be of each. */
  readonly confusion?: readonly ArrayLike<number>[];
  /** Baselines on the validation data, and what the run did against them in sentences. */
  readonly floors?: readonly Floor[] | undefined;
  readonly verdict?: readonly string[] | undefined;
  /** The range test of the learning rate as SVG. */
  readonly rateCurve?: string | undefined;
  /** Text that the model wrote. */
  readonly sample?: string | undefined;
  /** SHA-256 by what they are of. */
  readonly digests: Readonly<Record<string, string>>;
  /** Facts by name, such as the device. */
  readonly facts: Readonly<Record<string, string>>;
}

/** Classes of a confusion table that are shown. */
const MAX_CLASSES = 40;

/** Writes report.html of a run, which needs no scripts and makes no requests. */
export async function writeReport(folder: string, report: RunReport): Promise<void> {
  await writeWhole(join(folder, REPORT), reportOf(basename(resolve(folder)), report));
}

const preformatted = (text: string): string => `<pre>${escapeMarkup(text)}</pre>`;

function reportOf(title: string, report: RunReport): string {
  const { config, lines, rates = {}, observation, confusion, rateCurve, sample } = report;
  const { digests, facts, floors = [], verdict = [] } = report;
  const { command } = config as { readonly command?: unknown };
  const rateRows = Object.entries(rates).map(([name, rate]) => [
    name,
    `${(100 * rate).toFixed(2)} %`,
  ]);
  return pageOf(title, [
    sectionOf('Command', typeof command === 'string' ? preformatted(command) : ''),
    sectionOf('Results', tableOf(['metric', 'last', 'best'], resultsOf(lines))),
    sectionOf('Verdict', verdict.map((line) => `<p>${escapeMarkup(line)}</p>`).join('')),
    sectionOf('To be beaten', floors.length > 0 ? floorsOf(floors) : ''),
    sectionOf('Curves', figuresOf(lines, floors)),
    sectionOf('Learning rate range test', rateCurve),
    sectionOf(
      'Firing rates',
      rateRows.length > 0 ? tableOf(['layer', 'spikes per neuron and step'], rateRows) : '',
    ),
    sectionOf('Spikes', observation && gridOf(spikePictures(observation))),
    sectionOf('Confusion', confusion && confusionOf(confusion)),
    sectionOf('Sample', sample === undefined ? '' : preformatted(sample)),
    sectionOf('Facts', tableOf([], Object.entries(facts))),
    sectionOf('Digests (SHA-256)', tableOf([], Object.entries(digests))),
    sectionOf('Configuration', preformatted(JSON.stringify(config, undefined, 2))),
  ]);
}

/** Curves by metric: those of training and of validation that share a name in one picture. */
function curvesOf(lines: readonly MetricLine[]): ReadonlyMap<string, readonly Curve[]> {
  const charts = new Map<string, Map<string, [number, number][]>>();
  for (const line of lines) {
    for (const [name, value] of numbersOf(line)) {
      if (UNDRAWN.has(name)) continue;
      const metric = name.replace(/^val_/, '').replace(/\/.*/, '');
      const curve = name.includes('/') ? name.replace(/^.*?\//, '') : seriesOf(line, name);
      const chart = charts.get(metric) ?? new Map<string, [number, number][]>();
      const points = chart.get(curve) ?? [];
      points.push([line.step, value]);
      charts.set(metric, chart.set(curve, points));
    }
  }
  return new Map(
    Array.from(charts, ([metric, curves]) => [
      metric,
      Array.from(curves, ([name, points]) => ({ name, points })),
    ]),
  );
}

const seriesOf = ({ kind }: MetricLine, name: string): string =>
  kind === 'validation' || name.startsWith('val_') ? 'validation' : 'training';

/** First among the curves. */
const FIRST = ['loss', 'accuracy', 'rates'];

function figuresOf(lines: readonly MetricLine[], floors: readonly Floor[]): string {
  const curves = curvesOf(lines);
  const others = [...curves.keys()].filter((name) => !FIRST.includes(name));
  const figures = [...FIRST, ...others].flatMap((metric) => {
    const levels = floors.filter(({ figure }) => figure === metric);
    return chartsOf(metric, curves.get(metric) ?? [], levels).map((chart) =>
      figureOf(metric, chart),
    );
  });
  return gridOf(figures);
}

/** Baselines, which count tokens or have no hidden neuron. */
const floorsOf = (floors: readonly Floor[]): string =>
  tableOf(
    ['model', 'validation'],
    floors.map(({ name, figure, value }) => [
      name,
      figure === 'loss' ? `${value.toFixed(3)} nats a token` : `${(100 * value).toFixed(1)} %`,
    ]),
  );

function confusionOf(rows: readonly ArrayLike<number>[]): string {
  const shown = rows.slice(0, MAX_CLASSES);
  const head = ['class', ...shown.map((_, i) => `taken to be ${i}`)];
  const body = shown.map((row, i) => [
    String(i),
    ...Array.from(row).slice(0, MAX_CLASSES).map(String),
  ]);
  const rest =
    rows.length > MAX_CLASSES ? `<p>the first ${MAX_CLASSES} of ${rows.length} classes</p>` : '';
  return tableOf(head, body) + rest;
}
