import { trainText } from 'spikegrid/models';

/** The text is short: repeated, it is long enough for a batch, and for the tenth that is not learned from. */
const TIMES = 12;

/**
 * Trains a small model on a text.
 * @param {string} text
 * @param {Partial<import('spikegrid/models').TrainTextOptions>} [options]
 */
export const train = (text, options = {}) =>
  trainText(`${text.trim()}\n\n`.repeat(TIMES), {
    family: 'dense_chronospike',
    preset: 'tiny',
    steps: 1500,
    seed: 1,
    device: 'wasm',
    ...options,
  });
