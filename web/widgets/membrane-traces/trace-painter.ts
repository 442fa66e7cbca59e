import { shownSteps, type Motion } from '../buffers/shown-steps.ts';
import type { StepRange } from '../buffers/spike-buffer.ts';
import type { TraceBuffer } from '../buffers/trace-buffer.ts';
import type { Painter, Surface } from '../canvas/paint-loop.ts';
import { scaleOf, thresholdOf, type Thresholds, type TraceScale } from './trace-scale.ts';

export interface TraceOptions {
  readonly thresholds: Thresholds;
  /** Time steps across the whole width. */
  readonly columns: number;
  readonly motion: Motion;
  /** Written on the line of a threshold. */
  readonly thresholdLabel: (threshold: number) => string;
}

/** Room above and below a lane's trace, px. */
const PADDING = 6;

/** Lanes lower than this, px, have no room for the threshold in words. */
const LABEL_FROM = 90;

/** A neuron's strip of the drawing, and how its values and steps map into it. */
interface Lane {
  readonly neuron: number;
  readonly top: number;
  readonly height: number;
  readonly y: (potential: number) => number;
  readonly x: (step: number) => number;
}

/** Draws one lane a neuron: the threshold dashed, the potential as a line, a stroke upwards at each spike. */
export function createTracePainter(buffer: TraceBuffer, options: TraceOptions): Painter {
  const { thresholds, columns, motion, thresholdLabel } = options;
  return (surface) => {
    const range = shownSteps(buffer, columns, motion);
    const scale = scaleOf(buffer, thresholds);
    surface.context.clearRect(0, 0, surface.width, surface.height);
    for (let neuron = 0; neuron < buffer.neurons; neuron++) {
      const lane = laneOf(surface, { neuron, neurons: buffer.neurons, columns, scale, range });
      if (neuron > 0) drawDivider(surface, lane);
      const threshold = thresholdOf(thresholds, neuron);
      drawThreshold(surface, lane, threshold);
      if (lane.height >= LABEL_FROM)
        writeThreshold(surface, lane, threshold, thresholdLabel(threshold));
      drawSpikes(surface, lane, stepsOf(buffer, buffer.fired(neuron), range));
      drawPotential(surface, lane, stepsOf(buffer, buffer.potentials(neuron), range));
    }
  };
}

interface LanePlace {
  readonly neuron: number;
  readonly neurons: number;
  readonly columns: number;
  readonly scale: TraceScale;
  readonly range: StepRange;
}

function laneOf({ width, height }: Surface, place: LanePlace): Lane {
  const { neuron, neurons, columns, scale, range } = place;
  const laneHeight = height / neurons;
  const top = neuron * laneHeight;
  const inner = laneHeight - 2 * PADDING;
  const span = scale.high - scale.low;
  return {
    neuron,
    top,
    height: laneHeight,
    y: (potential) => top + PADDING + (1 - (potential - scale.low) / span) * inner,
    x: (step) => ((step - range.from + 0.5) / columns) * width,
  };
}

/** A stretch of steps with the number of its first one. */
interface Steps<A> {
  readonly first: number;
  readonly values: A;
}

function stepsOf<A extends Float32Array | Uint8Array>(
  buffer: TraceBuffer,
  values: A,
  { from, to }: StepRange,
): Steps<A> {
  const { oldest } = buffer;
  // subarray of an A is an A; its declaration does not say so for a union.
  return { first: from, values: values.subarray(from - oldest, to - oldest) as A };
}

function drawDivider({ context, width, theme }: Surface, { top }: Lane) {
  context.fillStyle = theme.line;
  context.fillRect(0, Math.round(top), width, 1);
}

function drawThreshold({ context, width, theme }: Surface, { y }: Lane, threshold: number) {
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(0, y(threshold));
  context.lineTo(width, y(threshold));
  context.stroke();
  context.setLineDash([]);
}

function writeThreshold(
  { context, theme }: Surface,
  { y }: Lane,
  threshold: number,
  label: string,
) {
  context.font = `11px ${theme.font}`;
  context.textBaseline = 'bottom';
  context.fillStyle = theme.muted;
  context.fillText(label, 6, y(threshold) - 3);
}

function drawSpikes({ context, theme }: Surface, lane: Lane, fired: Steps<Uint8Array>) {
  context.fillStyle = theme.spike;
  fired.values.forEach((spike, index) => {
    if (spike)
      context.fillRect(lane.x(fired.first + index) - 1, lane.top + 2, 2, lane.height * 0.18);
  });
}

function drawPotential(
  { context, theme }: Surface,
  lane: Lane,
  { first, values }: Steps<Float32Array>,
) {
  const colour = lane.neuron % theme.series.length;
  context.strokeStyle = theme.series[colour] ?? theme.ink;
  context.lineWidth = 1.75;
  context.lineJoin = 'round';
  context.beginPath();
  values.forEach((potential, index) => context.lineTo(lane.x(first + index), lane.y(potential)));
  context.stroke();
}
