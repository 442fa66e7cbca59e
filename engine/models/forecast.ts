import type { PresetName } from '../settings/recipes.ts';
import { type Architecture, familyDescriptions } from './architectures.ts';
import type { KnownSettings } from './choices.ts';

/** When a run is expected to fall below what counting tokens and pairs of tokens gives. */
export interface Forecast {
  /** Of a training step on the device, measured. */
  readonly stepSeconds: number;
  /** Of training, from the start. */
  readonly unigramSeconds: number;
  readonly bigramSeconds: number;
}

interface StepsUntil {
  readonly unigram: number;
  readonly bigram: number;
}

/** Steps of the recipes until their loss was below the floors of tinyshakespeare: docs/decisions/0043. */
const STEPS: Partial<Record<Architecture, Readonly<Record<string, StepsUntil>>>> = {
  dense_chronospike: {
    base: { unigram: 5, bigram: 35 },
    large: { unigram: 14, bigram: 67 },
  },
  standard_transformer: { base: { unigram: 14, bigram: 205 } },
  sparse_event_memory: { base: { unigram: 24, bigram: 84 } },
};

/** Whether a run has the sizes, batch and rate of a recipe whose steps were counted. */
export const isForeseen = (settings: KnownSettings): boolean => stepsOf(settings) !== undefined;

/** Undefined for a run that is like no recipe whose steps were counted. */
export function forecastOf(settings: KnownSettings, stepSeconds: number): Forecast | undefined {
  const steps = stepsOf(settings);
  return (
    steps && {
      stepSeconds,
      unigramSeconds: steps.unigram * stepSeconds,
      bigramSeconds: steps.bigram * stepSeconds,
    }
  );
}

function stepsOf({ architecture, fields, batch, learningRate }: KnownSettings) {
  const { presets } = familyDescriptions[architecture];
  const counted = Object.entries(STEPS[architecture] ?? {});
  const run = { ...fields, batch_size: batch, learning_rate: learningRate };
  const found = counted.find(([name]) => {
    const { fields: sizes, ...recipe } = presets[name as PresetName];
    const own = { ...sizes, batch_size: recipe.batch, learning_rate: recipe.learningRate };
    return Object.entries(own).every(([field, value]) => run[field as keyof typeof run] === value);
  });
  return found?.[1];
}

/** A time as a person says it, such as `20 s` or `12 minutes`. */
export function timeInWords(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Number((seconds / 60).toPrecision(2))} minutes`;
  return `${Number((seconds / 3600).toPrecision(2))} hours`;
}
