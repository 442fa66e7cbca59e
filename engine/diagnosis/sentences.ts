import type { Cause, Change, Evidence, Finding, Remedy } from './findings.ts';

type OnLayer = (layer: string) => string;

/** Each cause in words. */
const CAUSE_WORDS: Readonly<Record<Cause, OnLayer>> = {
  'input-scale': () => 'the inputs are not on the scale that the first layer takes',
  silent: (layer) => `neurons are silent from layer ${layer} on`,
  saturated: (layer) => `neurons of layer ${layer} fire in nearly every step`,
  'surrogate-out-of-reach': (layer) =>
    `membranes of layer ${layer} are out of reach of the surrogate, so that no gradient passes`,
  exploding: (layer) => `gradients of layer ${layer} explode over the time steps`,
  'rate-too-high': () => 'the learning rate is too high',
  'rate-too-low': () => 'the learning rate is too low',
  'labels-shuffled': () => 'the labels belong to other examples, or to none',
};

const FIGURE_WORDS: Readonly<Record<Evidence['figure'], string>> = {
  rate: 'spikes per neuron and step',
  dead: 'fraction of neurons that never fire',
  saturated: 'fraction of neurons that fire in over 95 % of steps',
  'input-size': 'root mean square of the inputs',
  'membrane-distance':
    'median distance of membranes from the threshold, in widths of the surrogate',
  slope: 'mean slope of the surrogate, of its slope at the threshold',
  growth: 'growth of the gradient per step back in time',
  'weight-size': 'size of the weights, in units of first ones',
  'step-size': 'one update, in units of first weights',
  travelled: 'all updates together, in units of first weights',
  'first-loss': 'loss at the beginning',
  'last-loss': 'loss at the end',
  'simple-accuracy': 'accuracy of the nearest examples',
  accuracy: 'accuracy of the network',
};

/** A finding in one sentence, with its evidence. */
export function sentenceOf({ cause, layer, evidence }: Finding): string {
  const figures = evidence.map(evidenceText).join('; ');
  return `${CAUSE_WORDS[cause](layer ?? '')}: ${figures}`;
}

/** A figure beside its limit. */
export function evidenceText({ figure, value, least, most }: Evidence): string {
  const limits = [
    ...(least === undefined ? [] : [`at least ${digits(least)}`]),
    ...(most === undefined ? [] : [`at most ${digits(most)}`]),
  ];
  const healthy = limits.length > 0 ? ` (healthy: ${limits.join(', ')})` : '';
  return `${FIGURE_WORDS[figure]} ${digits(value)}${healthy}`;
}

const CHANGE_WORDS: Readonly<Record<Change['setting'], string>> = {
  threshold: 'threshold',
  'surrogate-width': 'surrogateWidth',
  gain: 'weights times',
  'learning-rate': 'learning rate',
  'clip-norm': 'gradient clipped to the norm',
  'input-offset': 'inputs minus',
  'input-scale': 'then times',
};

/** A remedy in one sentence. */
export function remedyText({ changes, from }: Remedy): string {
  const begin =
    from === 'checkpoint'
      ? 'a new run from the last good checkpoint'
      : 'a new run from new weights';
  const all = changes.map(
    ({ setting, layer, from: before, to }) =>
      `${CHANGE_WORDS[setting]}${layer === undefined ? '' : ` of layer ${layer}`} ${digits(to)}` +
      (before === undefined ? '' : ` in place of ${digits(before)}`),
  );
  return [begin, ...(all.length > 0 ? [`with ${all.join(', ')}`] : [])].join(' ');
}

/** Three digits, also of very small numbers. */
const digits = (value: number): string => String(Number(value.toPrecision(3)));
