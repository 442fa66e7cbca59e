import { invalid } from '../../contract/refusal.ts';
import type { InferInputs } from './infer.ts';

export const INPUT_NAMES = ['text', 'image', 'audio'] as const;
export type InputName = (typeof INPUT_NAMES)[number];

/** What a model is asked with, by modality: what it needs, and what it also takes. */
export type ModelInputs = Readonly<Partial<Record<InputName, 'needed' | 'taken'>>>;

/** What of a model_spec says what its model takes. */
export interface InputSpec {
  readonly architecture: string;
  /** Of models that were trained with pictures and sounds, `image` and `audio`. */
  readonly core?: object;
}

/** Text models take text, classifiers what they tell apart; the others what they were trained with. */
export function modelInputsOf({ architecture, core = {} }: InputSpec): ModelInputs {
  const trained = (need: 'needed' | 'taken'): ModelInputs => ({
    text: 'taken',
    ...('image' in core && { image: need }),
    ...('audio' in core && { audio: need }),
  });
  switch (architecture) {
    case 'spiking_vision':
      return { image: 'needed' };
    case 'spiking_audio':
      return { audio: 'needed' };
    case 'spiking_multimodal':
      return trained('needed');
    case 'memoried_spikenetlm':
      return trained('taken');
    default:
      return { text: 'needed' };
  }
}

/** @throws Problem validation_failed that names what the model takes, for other inputs */
export function checkInputs(inputs: InferInputs, takes: ModelInputs, model: string): void {
  const given = INPUT_NAMES.filter((name) => inputs[name] !== undefined);
  const isMissing = INPUT_NAMES.some((name) => takes[name] === 'needed' && !given.includes(name));
  if (!isMissing && given.every((name) => takes[name] !== undefined)) return;
  const detail = `${inputsSentence(takes, model)} (got ${given.join(', ')})`;
  throw invalid('/inputs', 'invalid_value', detail);
}

const written = (names: readonly InputName[]) => names.map((name) => `inputs.${name}`);

/** Such as "fox reads text: expected inputs.text alone". */
function inputsSentence(takes: ModelInputs, model: string): string {
  const named = (need: 'needed' | 'taken') => INPUT_NAMES.filter((name) => takes[name] === need);
  const [needed, taken] = [named('needed'), named('taken')];
  if (needed.length === 0) {
    return `${model} reads ${taken.join(', ')}: expected one or more of ${written(taken).join(', ')}`;
  }
  const sentence = `${model} reads ${needed.join(' and ')}: expected ${written(needed).join(' and ')}`;
  return taken.length === 0
    ? `${sentence} alone`
    : `${sentence}, and ${written(taken).join(', ')} where wanted`;
}
