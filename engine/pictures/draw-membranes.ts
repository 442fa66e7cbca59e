import type { LayerObservation, Observation } from '../layers/observe.ts';
import { placesOf } from './draw-raster.ts';
import { type LayerChoice, layersOf, neuronsOf, overTime } from './observed.ts';
import { paintTraces } from './paint-traces.ts';
import {
  drawPanels,
  onSurface,
  type PictureOptions,
  type PictureTarget,
  refused,
  writeNumber,
} from './picture.ts';
import { type Box, drawAxes, inside, planeIn } from './plane.ts';
import type { Surface } from './surface.ts';
import { scaleOf, type Traces } from './trace-scale.ts';

/** The layer, the example and the neurons whose membranes are drawn. */
export interface MembraneOptions extends PictureOptions, LayerChoice {
  /** Neurons to be drawn, a lane each; the first four by default. */
  readonly neurons?: readonly number[];
  /** Dashed across each lane, in units of the membrane; none by default. */
  readonly threshold?: number;
}

const LANES = 4;

/** Lowest lane, px. */
const MIN_LANE = 16;

/** Lanes lower than this, px, have no room for the ends of their scale. */
const ENDS_FROM = 44;

/**
 * Draws membranes over time: a lane for each neuron, a stroke at each spike. A membrane that is not finite leaves a
 * gap. Throws EngineError `invalid-setting` for a layer, example or neuron that was not observed, a layer that keeps
 * no membranes, and for no room.
 */
export function drawMembranes(
  target: PictureTarget,
  observation: Observation,
  options: MembraneOptions = {},
): void {
  const what = 'drawMembranes';
  const layers = layersOf(what, observation, options).filter(({ membranes }) => membranes);
  if (layers.length === 0) {
    const named =
      options.layer === undefined ? 'no layer keeps' : `layer "${options.layer}" keeps no`;
    throw refused(what, `${named} membranes: expected neurons that have them, such as lif()`);
  }
  onSurface(what, target, options, (surface) => {
    const panels = layers.map((layer) => {
      const first = Array.from(layer.rates.subarray(0, LANES), (_, neuron) => neuron);
      const neurons = neuronsOf(what, layer, options.neurons ?? first);
      const traces = tracesOf(observation, layer, { neurons, example: options.example ?? 0 });
      const lanes = { traces, neurons, steps: observation.steps, threshold: options.threshold };
      return {
        title: `${layer.name}: membranes`,
        draw: (frame: Box) => drawLanes(surface, frame, lanes),
      };
    });
    drawPanels(what, surface, panels);
  });
}

interface Chosen {
  readonly neurons: readonly number[];
  readonly example: number;
}

function tracesOf(
  observation: Observation,
  { spikes, membranes = new Float32Array(0) }: LayerObservation,
  { neurons, example }: Chosen,
): Traces {
  const at = (lane: number) => ({ example, neuron: neurons[lane] ?? 0 });
  return {
    neurons: neurons.length,
    potentials: (lane) => overTime(membranes, observation, at(lane)),
    fired: (lane) => overTime(spikes, observation, at(lane)),
  };
}

interface Lanes {
  readonly traces: Traces;
  readonly neurons: readonly number[];
  readonly steps: number;
  readonly threshold: number | undefined;
}

function drawLanes(surface: Surface, frame: Box, lanes: Lanes): void {
  const { traces, neurons, steps, threshold = Number.NaN } = lanes;
  const lane = frame.height / neurons.length;
  if (lane < MIN_LANE) {
    const most = Math.max(1, Math.floor(frame.height / MIN_LANE));
    throw refused(
      'drawMembranes',
      `neurons has ${neurons.length}: expected at most ${most} in this height`,
    );
  }
  const scales = { x: placesOf(steps), y: { low: 0, high: 1, ticks: [] } };
  const plane = planeIn(surface, frame, scales);
  drawAxes(plane, scales, { x: String, y: String });
  writeLanes(surface, frame, lanes);
  inside(plane, () =>
    paintTraces(surface, frame, traces, {
      thresholds: threshold,
      columns: steps,
      from: 0,
      to: steps,
      thresholdLabel: (value) => `threshold ${writeNumber(value)}`,
    }),
  );
}

/** Beside each lane its neuron, and the ends of its scale where there is room. */
function writeLanes({ context, theme }: Surface, frame: Box, lanes: Lanes): void {
  const { traces, neurons, threshold = Number.NaN } = lanes;
  const height = frame.height / neurons.length;
  const scale = scaleOf(traces, threshold);
  const x = frame.left - 6;
  neurons.forEach((neuron, lane) => {
    const top = frame.top + lane * height;
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    context.fillStyle = theme.ink;
    context.fillText(`n. ${neuron}`, x, top + height / 2);
    if (height < ENDS_FROM) return;
    context.fillStyle = theme.muted;
    context.fillText(writeNumber(scale.high), x, top + 7);
    context.fillText(writeNumber(scale.low), x, top + height - 7);
  });
}
