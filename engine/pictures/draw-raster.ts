import type { LayerObservation, Observation } from '../layers/observe.ts';
import { type LayerChoice, layersOf, neuronsOf } from './observed.ts';
import { GAP_FROM, paintColumn, rowOf } from './paint-raster.ts';
import { drawPanels, onSurface, type PictureOptions, type PictureTarget } from './picture.ts';
import { type Box, drawAxes, planeIn } from './plane.ts';
import { fixedScale, type Scale } from './scale.ts';
import type { Surface } from './surface.ts';

/** The layer, the example and the neurons whose spikes are drawn. */
export interface RasterOptions extends PictureOptions, LayerChoice {
  /** Neurons to be drawn, from the bottom up; all by default. */
  readonly neurons?: readonly number[];
}

/**
 * Draws which neuron fires when: a row for each neuron, the first at the bottom, a column for each time step. Where
 * there are more neurons or steps than pixels, several share one, which is lit when any of them fires.
 * Throws EngineError `invalid-setting` for a layer, example or neuron that was not observed, and for no room.
 */
export function drawRaster(
  target: PictureTarget,
  observation: Observation,
  options: RasterOptions = {},
): void {
  const layers = layersOf('drawRaster', observation, options);
  const chosen = layers.map((layer) => neuronsOf('drawRaster', layer, options.neurons));
  onSurface('drawRaster', target, options, (surface) => {
    const panels = layers.map((layer, index) => ({
      title: `${layer.name}: spikes`,
      draw: (frame: Box) => {
        const neurons = chosen[index] ?? [];
        const rows = { layer, neurons, example: options.example ?? 0 };
        drawRows(surface, frame, observation, rows);
      },
    }));
    drawPanels('drawRaster', surface, panels);
  });
}

interface Rows {
  readonly layer: LayerObservation;
  readonly neurons: readonly number[];
  readonly example: number;
}

function drawRows(
  surface: Surface,
  frame: Box,
  observation: Observation,
  { layer, neurons, example }: Rows,
): void {
  const { steps, count } = observation;
  const scales = { x: placesOf(steps), y: placesOf(neurons.length) };
  drawAxes(planeIn(surface, frame, scales), scales, {
    x: String,
    y: (place) => String(neurons[place]),
  });
  const { context, ratio } = surface;
  const inDevice = (length: number) => Math.max(1, Math.floor(length * ratio));
  const columns = Math.min(steps, inDevice(frame.width));
  const lit = new Uint8Array(Math.min(neurons.length, inDevice(frame.height)));
  const rows = Uint32Array.from(neurons, (_, place) => rowOf(place, neurons.length, lit.length));
  const snap = (place: number) => Math.round(place * ratio) / ratio;
  const edge = (column: number) => snap(frame.left + (column / columns) * frame.width);
  const top = (row: number) => snap(frame.top + (row / lit.length) * frame.height);
  const gap = frame.height / lit.length < GAP_FROM ? 0 : 1;
  context.fillStyle = surface.theme.spike;
  for (let column = 0; column < columns; column++) {
    lit.fill(0);
    const last = Math.floor(((column + 1) * steps) / columns);
    for (let step = Math.floor((column * steps) / columns); step < last; step++) {
      const first = (step * count + example) * layer.rates.length;
      // Millions of times for a large layer.
      for (let place = 0; place < rows.length; place++) {
        if (layer.spikes[first + (neurons[place] ?? 0)]) lit[rows[place] ?? 0] = 1;
      }
    }
    const left = edge(column);
    paintColumn(context, lit, { left, width: edge(column + 1) - left, top, gap });
  }
}

/** The axis of things that have a place each, with numbers in the middle of some. */
export function placesOf(count: number): Scale {
  const scale = fixedScale([-0.5, count - 0.5]);
  return { ...scale, ticks: scale.ticks.filter(Number.isInteger) };
}
