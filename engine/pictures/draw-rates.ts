import type { LayerObservation, Observation } from '../layers/observe.ts';
import { type Bars, drawBars, histogramBars } from './draw-bars.ts';
import { placesOf } from './draw-raster.ts';
import { type LayerChoice, layersOf } from './observed.ts';
import {
  drawPanels,
  onSurface,
  type PictureOptions,
  type PictureTarget,
  refused,
} from './picture.ts';
import type { Box } from './plane.ts';

/** The layer whose rates are drawn, and how they are grouped. */
export interface RateOptions extends PictureOptions, Pick<LayerChoice, 'layer'> {
  /**
   * A bar for each neuron, or how many neurons have which rate; by default a bar for each where it is at least
   * 4 px wide.
   */
  readonly by?: 'neuron' | 'rate';
}

const MIN_BAR = 4;
const BINS = 24;

/**
 * Draws firing rates, in spikes per time step over all examples. Throws EngineError `invalid-setting` for a layer
 * that was not observed, and for no room.
 */
export function drawRates(
  target: PictureTarget,
  observation: Observation,
  options: RateOptions = {},
): void {
  const layers = layersOf('drawRates', observation, options);
  const { by } = options;
  if (by !== undefined && by !== 'neuron' && by !== 'rate') {
    throw refused('drawRates', `by is "${String(by)}": expected neuron or rate`);
  }
  onSurface('drawRates', target, options, (surface) => {
    const panels = layers.map((layer) => ({
      title: titleOf(layer),
      draw: (frame: Box) => {
        const isApart = frame.width / layer.rates.length >= MIN_BAR;
        const isByNeuron = by === undefined ? isApart : by === 'neuron';
        drawBars(surface, frame, isByNeuron ? neuronBars(layer) : rateBars(layer));
      },
    }));
    drawPanels('drawRates', surface, panels);
  });
}

function titleOf({ name, rates }: LayerObservation): string {
  const silent = rates.filter((rate) => rate === 0).length;
  return `${name}: firing rates, ${silent} of ${rates.length} neurons silent`;
}

const neuronBars = ({ rates }: LayerObservation): Bars => ({
  x: placesOf(rates.length),
  writeX: String,
  edges: (neuron) => [neuron - 0.5, neuron + 0.5],
  heights: rates,
  isCounted: false,
});

/** Silent neurons are not among the bars: the title counts them. */
function rateBars({ rates }: LayerObservation): Bars {
  const firing = rates.filter((rate) => rate > 0);
  const most = firing.reduce((high, rate) => Math.max(high, rate), 0);
  return histogramBars(firing, [0, most || 1], BINS);
}
