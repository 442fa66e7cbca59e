import type { ModelInputs } from '../../../edge/inference/contract/request-inputs.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { flag, integer, number, text, type Values } from '../../url-state/fields.ts';
import {
  asked,
  type GivenMedia,
  parseStops,
  parseTarget,
  type Question,
  writeStops,
  writeTarget,
} from './exchanges/question.ts';

/** A longer prompt is not carried by the address: links have to stay usable. */
export const MAX_LINKED_PROMPT = 500;
export const MAX_PROMPT = 100_000;
const MAX_STOPS = 600;

const MAX_SEED = 2 ** 32 - 1;

/** Bounds of each number, as the service accepts them. */
export const RULES = {
  max_length: { kind: 'integer', min: 0, max: 100_000 },
  temperature: { kind: 'decimal', min: 0, max: 100 },
  top_k: { kind: 'integer', min: 0, max: 1_000_000 },
  top_p: { kind: 'decimal', min: 0.01, max: 1 },
  seed: { kind: 'integer', min: 0, max: MAX_SEED },
} as const satisfies Record<string, NumberRule>;

/** Playground settings in the URL. */
export const FIELDS = {
  /** `id@version` or `id@alias` */
  model: text('', 260),
  /** The one that is asked beside it; empty where there is none. */
  beside: text('', 260),
  prompt: text('', MAX_LINKED_PROMPT),
  max_length: integer(200, RULES.max_length),
  temperature: number(0.8, RULES.temperature),
  top_k: integer(0, RULES.top_k),
  top_p: number(1, RULES.top_p),
  seed: integer(1, RULES.seed),
  /** Draws another seed each time. */
  draw: flag(false),
  /** One a line, with \n for a line break. */
  stop: text('', MAX_STOPS),
  raster: flag(true),
  layer: text('', 64),
};

export type PlaygroundFields = Values<typeof FIELDS>;

export type ChangeFields = (change: Partial<PlaygroundFields>) => void;

/** A seed that was not asked with before, as good as surely. */
export const drawSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;

/** Inputs of the form besides its fields. */
interface Inputs {
  readonly takes: ModelInputs;
  readonly prompt: string;
  readonly media: GivenMedia;
}

/** The request that the form describes; null while a model is missing or a field is invalid. */
export function questionFrom(
  fields: PlaygroundFields,
  { takes, prompt, media }: Inputs,
): Question | null {
  const { model, beside, max_length, temperature, top_k, top_p, seed, raster } = fields;
  const chosen = [model, ...(beside === '' ? [] : [beside])].map(parseTarget);
  const targets = chosen.filter((target) => target !== null);
  const stop = parseStops(fields.stop);
  const inputs = asked(takes, prompt, media);
  if (targets.length < chosen.length || !stop || !inputs) return null;
  return {
    targets,
    ...inputs,
    sampling: { max_length, temperature, top_k, top_p, seed, stop, raster },
  };
}

/** The inverse of `questionFrom`: the form as it was when this was asked, but for the prompt. */
export function fieldsFrom({ targets, sampling }: Question): Partial<PlaygroundFields> {
  const { stop, ...others } = sampling;
  const [model = '', beside = ''] = targets.map(writeTarget);
  return { ...others, stop: writeStops(stop), model, beside };
}
