import type { Observation } from '../../engine/index.ts';
import { drawRaster, drawRates, svgPicture } from '../../engine/pictures.ts';

const RATES = { width: 640, height: 180 } as const;
/** Of a raster: its title and axis, and a row for each neuron within bounds. */
const AROUND = 48;
const ROW = 4;
const MAX_HEIGHT = 480;

/** Pictures of what each layer did: which neuron fired when in the first example, and how often each. */
export function spikePictures(observation: Observation): string[] {
  return observation.layers.flatMap(({ name, rates }) => {
    const height = AROUND + Math.min(MAX_HEIGHT, Math.max(60, ROW * rates.length));
    const raster = svgPicture((context) => drawRaster(context, observation, { layer: name }), {
      width: 640,
      height,
      title: `${name}: spikes`,
    });
    const bars = svgPicture((context) => drawRates(context, observation, { layer: name }), {
      ...RATES,
      title: `${name}: rates`,
    });
    return [raster, bars];
  });
}
