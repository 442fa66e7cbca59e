import type * as z from 'zod/mini';
import {
  type InferAnswer,
  InferConfig,
  InferRequest,
  MAX_BATCH_REQUESTS,
} from '../../edge/contract/inference/infer.ts';
import type {
  InferenceRequest,
  InferenceResponse,
  TensorMetadata,
} from '../../edge/contract/inference/open-inference.ts';
import { parseBody } from '../../edge/contract/parse.ts';
import { invalid } from '../../edge/contract/refusal.ts';
import type { ModelChoice } from './registry-source.ts';

type Tensor = z.output<typeof TensorMetadata>;

/** Any number of texts, or of pictures or sounds in base64; an answer for each. */
const tensor = (name: string, datatype: Tensor['datatype'] = 'BYTES'): Tensor => ({
  name,
  datatype,
  shape: [-1],
});
const TEXT = tensor('text');
const INPUT_NAMES = ['text', 'image', 'audio'] as const;
type InputName = (typeof INPUT_NAMES)[number];
/** The likeliest class, and how likely it is. */
const CLASS_OUTPUTS = [tensor('label'), tensor('probability', 'FP64')];

/** What the models of an architecture take and answer. */
export function tensorsOf(architecture: string) {
  if (architecture === 'spiking_vision')
    return { inputs: [tensor('image')], outputs: CLASS_OUTPUTS };
  if (architecture === 'spiking_audio')
    return { inputs: [tensor('audio')], outputs: CLASS_OUTPUTS };
  return { inputs: [TEXT], outputs: [TEXT] };
}

type Input = InferenceRequest['inputs'][number];
type Output = InferenceResponse['outputs'][number];

/**
 * A request of the Open Inference Protocol as requests of ours, one for each text, picture or sound.
 *
 * @throws Problem validation_failed
 */
export function requestsOf(
  { parameters = {}, inputs, outputs = [] }: InferenceRequest,
  { modelId, version }: ModelChoice,
): InferRequest[] {
  const { name, texts } = textsOf(inputs);
  const known = name === 'text' ? [TEXT] : CLASS_OUTPUTS;
  const strange = outputs.find((output) => known.every((one) => one.name !== output.name));
  if (strange) {
    const names = known.map((output) => output.name).join(' or ');
    throw invalid(
      '/outputs',
      'invalid_value',
      `there is no output ${strange.name}: expected ${names}`,
    );
  }
  const { priority, timeout_ms, ...config } = parameters;
  return texts.map((text) =>
    parseBody(InferRequest, {
      model_id: modelId,
      ...(version !== undefined && { version }),
      inputs: { [name]: text },
      config: configOf(config),
      ...(priority !== undefined && { priority }),
      ...(timeout_ms !== undefined && { timeout_ms }),
    }),
  );
}

/** Parameters are numbers, texts and booleans: the one list among ours is one text here. */
function configOf({ stop, ...config }: Record<string, unknown>): Record<string, unknown> {
  const unknown = Object.keys(config).find((name) => !(name in InferConfig.shape));
  if (unknown !== undefined) {
    const known = ['priority', 'timeout_ms', ...Object.keys(InferConfig.shape)].join(', ');
    throw invalid(
      '/parameters',
      'invalid_value',
      `there is no parameter ${unknown}: expected some of ${known}`,
    );
  }
  return { ...config, ...(stop !== undefined && { stop: [stop] }) };
}

function textsOf(inputs: readonly Input[]): {
  readonly name: InputName;
  readonly texts: readonly string[];
} {
  const [input, ...more] = inputs;
  const name = INPUT_NAMES.find((one) => one === input?.name);
  if (!input || more.length > 0 || name === undefined) {
    const names = inputs.map((one) => one.name).join(', ');
    throw invalid('/inputs', 'invalid_value', `got ${names}: expected the one input text`);
  }
  const { datatype, shape, data } = input;
  if (datatype !== TEXT.datatype) {
    throw invalid('/inputs/0/datatype', 'invalid_value', `${name} is BYTES, got ${datatype}`);
  }
  // Data may be nested as the shape is, or flat.
  const texts = data.flat(Infinity);
  const size = shape.reduce((product, length) => product * length, 1);
  if (size !== texts.length || shape.some((length) => length < 0)) {
    throw invalid(
      '/inputs/0/shape',
      'invalid_value',
      `[${shape.join(', ')}] does not fit ${texts.length} elements`,
    );
  }
  if (texts.length === 0 || texts.length > MAX_BATCH_REQUESTS) {
    const detail = `${texts.length} texts: expected 1 to ${MAX_BATCH_REQUESTS}`;
    throw invalid('/inputs/0/data', 'invalid_value', detail);
  }
  const strings = texts.map((text) => {
    if (typeof text === 'string') return text;
    throw invalid(
      '/inputs/0/data',
      'invalid_value',
      `BYTES are strings, got ${JSON.stringify(text)}`,
    );
  });
  return { name, texts: strings };
}

/** What was answered, in the shape of what was asked; the outputs that were asked for, or all. */
export function outputsOf(
  { inputs, outputs = [] }: InferenceRequest,
  answers: readonly InferAnswer[],
): Output[] {
  const shape = inputs[0]?.shape ?? [answers.length];
  const first = answers[0];
  const isText = first !== undefined && 'text' in first.outputs;
  return (isText ? [TEXT] : CLASS_OUTPUTS)
    .filter(({ name }) => outputs.length === 0 || outputs.some((asked) => asked.name === name))
    .map(({ name, datatype }) => ({
      name,
      datatype,
      shape,
      data: answers.map((answer) => elementOf(name, answer)),
    }));
}

function elementOf(name: string, { outputs }: InferAnswer): string | number {
  if ('text' in outputs) return outputs.text;
  const likeliest = outputs.classes[0] ?? { label: '', probability: 0 };
  return name === 'label' ? likeliest.label : likeliest.probability;
}
