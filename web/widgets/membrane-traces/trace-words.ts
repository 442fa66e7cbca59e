import { thresholdOf, type Thresholds } from '../../../engine/pictures.ts';
import type { StepRange } from '../buffers/spike-buffer.ts';
import type { TraceBuffer } from '../buffers/trace-buffer.ts';
import type { TableData } from '../chart/table-data.ts';
import type { ChartText } from '../chart/chart-text.ts';

/** Data to describe: the visible steps and the names of the neurons. */
export interface TraceView {
  readonly buffer: TraceBuffer;
  readonly range: StepRange;
  readonly names: readonly string[];
  readonly thresholds: Thresholds;
}

/** Rows of the table: the newest steps in sight. */
const TABLE_ROWS = 200;

/** One sentence a neuron: its newest potential, its threshold, its spikes. */
export function describeTraces({ t, format }: ChartText, view: TraceView): string[] {
  const { buffer, range, names, thresholds } = view;
  if (range.to === range.from) return [];
  return names.map((name, neuron) =>
    t('traces.sentence', {
      name,
      value: potentialAt(buffer, neuron, range.to - 1) ?? Number.NaN,
      threshold: format.number(thresholdOf(thresholds, neuron)),
      count: spikesWithin(buffer, neuron, range),
      steps: range.to - range.from,
    }),
  );
}

/**
 * Values at one step: every neuron's potential, and which of them fired.
 * @param name the step in words, where its number says little
 */
export function describeStep(
  { t, format }: ChartText,
  view: TraceView,
  step: number,
  name = t('traces.stepName', { step }),
): string {
  const values = view.names.map((neuronName, neuron) => {
    const value = potentialAt(view.buffer, neuron, step) ?? Number.NaN;
    return t(hasFired(view.buffer, neuron, step) ? 'traces.fired' : 'traces.below', {
      name: neuronName,
      value: format.number(value),
    });
  });
  return t('traces.point', { step: name, values: format.list(values) });
}

/** One row a step, newest first: the potential of each neuron, marked where it fired. */
export function tracesTable({ t, format }: ChartText, view: TraceView): TableData {
  const { buffer, range, names } = view;
  const steps = Math.min(TABLE_ROWS, range.to - range.from);
  const cell = (neuron: number, step: number) => {
    const value = format.number(potentialAt(buffer, neuron, step) ?? Number.NaN);
    return hasFired(buffer, neuron, step) ? `${value} ${t('traces.spike')}` : value;
  };
  return {
    columns: [t('traces.step'), ...names],
    rows: Array.from({ length: steps }, (_, row) => {
      const step = range.to - 1 - row;
      return [String(step), ...names.map((_name, neuron) => cell(neuron, step))];
    }),
  };
}

/** How often a neuron fired within `range`. */
function spikesWithin(buffer: TraceBuffer, neuron: number, range: StepRange): number {
  return buffer
    .fired(neuron)
    .subarray(range.from - buffer.oldest, range.to - buffer.oldest)
    .reduce((sum, spike) => sum + spike, 0);
}

function potentialAt(buffer: TraceBuffer, neuron: number, step: number): number | undefined {
  return buffer.potentials(neuron)[step - buffer.oldest];
}

function hasFired(buffer: TraceBuffer, neuron: number, step: number): boolean {
  return buffer.fired(neuron)[step - buffer.oldest] === 1;
}
