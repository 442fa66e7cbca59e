import { EngineError } from '../errors.ts';
import { formula } from '../ops/formula.ts';
import { expectShares } from '../ops/layer-shapes.ts';
import { rowMeans } from '../ops/row-losses.ts';
import { spikeRates } from '../ops/time-readouts.ts';
import type { Loss, LossOutputs } from './loss.ts';

interface RateLossOptions {
  /** 1 for the distance itself, 2 for its square. */
  readonly power?: 1 | 2;
  /** Names of the layers that it looks at; all that fire where it is left out. */
  readonly layers?: readonly string[];
}

interface RateBounds extends RateLossOptions {
  /** Spikes a step, from 0 to 1, below which a neuron's rate costs. */
  readonly lower?: number;
  /** Spikes a step, from 0 to 1, above which it costs. */
  readonly upper?: number;
}

/**
 * How far the rates of neurons are outside of bounds, in spikes a step: the mean over the neurons of each layer,
 * added up over the layers. It has no target.
 *
 *   max(0, lower - rate)^power + max(0, rate - upper)^power
 */
export function rateBoundsLoss({ lower = 0, upper = 1, power = 2, layers }: RateBounds): Loss {
  const name = `rates from ${lower} to ${upper}`;
  expectShares(name, { lower, upper });
  if (lower > upper) {
    throw new EngineError('invalid-setting', `${name}: expected a lower bound below the upper`);
  }
  const distance = `max(0, ${lower} - rate) + max(0, rate - ${upper})`;
  return ofRates(name, power === 1 ? distance : `(${distance}) * (${distance})`, layers);
}

/** The mean rate of a layer's neurons, or the mean of its square, added up over the layers. It has no target. */
export function rateNormLoss({ power = 1, layers }: RateLossOptions = {}): Loss {
  return ofRates(`L${power} of rates`, power === 1 ? 'rate' : 'rate * rate', layers);
}

function ofRates(name: string, text: string, wanted: readonly string[] | undefined): Loss {
  return {
    name,
    target: 'none',
    inSegments: true,
    trace(graph, outputs) {
      const costs = layersOf(name, outputs, wanted).map(({ spikes }) =>
        rowMeans(graph, formula(graph, text, { rate: spikeRates(graph, spikes) })),
      );
      return costs.reduce((sum, cost) => formula(graph, 'sum + cost', { sum, cost }));
    },
  };
}

function layersOf(
  loss: string,
  { layers }: LossOutputs,
  wanted: readonly string[] = layers.map(({ name }) => name),
) {
  const known = layers.map(({ name }) => name).join(', ');
  if (wanted.length === 0) {
    throw new EngineError('invalid-structure', `loss ${loss}: the network has no layer that fires`);
  }
  return wanted.map((name) => {
    const layer = layers.find((one) => one.name === name);
    if (layer) return layer;
    throw new EngineError(
      'invalid-setting',
      `loss ${loss}: there is no layer ${JSON.stringify(name)} that fires: expected one of ${known}`,
    );
  });
}
