import { escapeMarkup } from './markup.ts';

/** Spikes of one layer while it reads one example. */
export interface SpikeRaster {
  readonly name: string;
  readonly steps: number;
  readonly neurons: number;
  /** Whether a neuron fires in a step. */
  readonly fires: (step: number, neuron: number) => boolean;
}

/** A report shows no more of a layer. */
const MAX_NEURONS = 96;
const MAX_STEPS = 256;
const CELL = 4;

/** Draws which neuron fires when: a row for each neuron, a column for each time step. */
export function rasterOf({ name, steps, neurons, fires }: SpikeRaster): string {
  const shown = { steps: Math.min(steps, MAX_STEPS), neurons: Math.min(neurons, MAX_NEURONS) };
  const spikes: string[] = [];
  for (let neuron = 0; neuron < shown.neurons; neuron++) {
    for (let step = 0; step < shown.steps; step++) {
      if (fires(step, neuron)) spikes.push(`M${CELL * step} ${CELL * neuron}h3v3h-3z`);
    }
  }
  const [width, height] = [CELL * shown.steps, CELL * shown.neurons];
  const caption = `${name}: ${shown.neurons} of ${neurons} neurons, ${shown.steps} of ${steps} steps`;
  return (
    `<figure><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${Math.max(320, width)}" ` +
    `role="img"><title>${escapeMarkup(caption)}</title><rect width="${width}" height="${height}" fill="#f0f3ef"/>` +
    `<path d="${spikes.join('')}" fill="#b5440a"/></svg><figcaption>${escapeMarkup(caption)}</figcaption></figure>`
  );
}
