import { type Box, strokeLine } from './plane.ts';
import type { Surface } from './surface.ts';
import {
  scaleOf,
  thresholdOf,
  type Thresholds,
  type TraceScale,
  type Traces,
} from './trace-scale.ts';

interface TracesLook {
  readonly thresholds: Thresholds;
  /** Time steps across the whole width. */
  readonly columns: number;
  /** Places of the steps in sight among those of the traces, `to` not included. */
  readonly from: number;
  readonly to: number;
  /** Written on the line of a threshold. */
  readonly thresholdLabel: (threshold: number) => string;
}

/** Room above and below a lane's trace, px. */
const PADDING = 6;

/** Lanes lower than this, px, have no room for the threshold in words. */
const LABEL_FROM = 90;

/** A neuron's strip of the drawing, and how its values and columns map into it. */
interface Lane extends Box {
  readonly neuron: number;
  readonly y: (potential: number) => number;
  readonly x: (column: number) => number;
}

/** Draws one lane a neuron: the threshold dashed, the potential as a line, a stroke upwards at each spike. */
export function paintTraces(surface: Surface, box: Box, traces: Traces, look: TracesLook): void {
  const { thresholds, from, to, thresholdLabel } = look;
  const scale = scaleOf(traces, thresholds);
  for (let neuron = 0; neuron < traces.neurons; neuron++) {
    const lane = laneOf(box, { neuron, neurons: traces.neurons, columns: look.columns, scale });
    if (neuron > 0) drawDivider(surface, lane);
    const threshold = thresholdOf(thresholds, neuron);
    if (Number.isFinite(threshold)) {
      drawThreshold(surface, lane, threshold);
      if (lane.height >= LABEL_FROM)
        writeThreshold(surface, lane, threshold, thresholdLabel(threshold));
    }
    drawSpikes(surface, lane, traces.fired(neuron).subarray(from, to));
    drawPotential(surface, lane, traces.potentials(neuron).subarray(from, to));
  }
}

interface LanePlace {
  readonly neuron: number;
  readonly neurons: number;
  readonly columns: number;
  readonly scale: TraceScale;
}

function laneOf(box: Box, { neuron, neurons, columns, scale }: LanePlace): Lane {
  const { left, width } = box;
  const height = box.height / neurons;
  const top = box.top + neuron * height;
  const inner = height - 2 * PADDING;
  const span = scale.high - scale.low;
  return {
    neuron,
    left,
    top,
    width,
    height,
    y: (potential) => top + PADDING + (1 - (potential - scale.low) / span) * inner,
    x: (column) => left + ((column + 0.5) / columns) * width,
  };
}

function drawDivider({ context, theme }: Surface, { left, top, width }: Lane) {
  context.fillStyle = theme.line;
  context.fillRect(left, Math.round(top), width, 1);
}

function drawThreshold({ context, theme }: Surface, { left, width, y }: Lane, threshold: number) {
  context.strokeStyle = theme.muted;
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(left, y(threshold));
  context.lineTo(left + width, y(threshold));
  context.stroke();
  context.setLineDash([]);
}

function writeThreshold(
  { context, theme }: Surface,
  { left, y }: Lane,
  threshold: number,
  label: string,
) {
  context.font = `11px ${theme.font}`;
  context.textAlign = 'left';
  context.textBaseline = 'bottom';
  context.fillStyle = theme.muted;
  context.fillText(label, left + 6, y(threshold) - 3);
}

function drawSpikes({ context, theme }: Surface, lane: Lane, fired: Uint8Array) {
  context.fillStyle = theme.spike;
  fired.forEach((spike, column) => {
    if (spike) context.fillRect(lane.x(column) - 1, lane.top + 2, 2, lane.height * 0.18);
  });
}

function drawPotential({ context, theme }: Surface, lane: Lane, potentials: Float32Array) {
  const colour = lane.neuron % theme.series.length;
  context.strokeStyle = theme.series[colour] ?? theme.ink;
  strokeLine(context, {
    length: potentials.length,
    x: lane.x,
    y: (column) => lane.y(potentials[column] ?? Number.NaN),
  });
}
