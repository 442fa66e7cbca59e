import type * as z from 'zod/mini';
import {
  type InferAnswer,
  InferConfig,
  type InferInputs,
  InferRequest,
  MAX_BATCH_REQUESTS,
} from '../../edge/contract/inference/infer.ts';
import {
  INPUT_NAMES,
  type InputName,
  type InputSpec,
  modelInputsOf,
} from '../../edge/contract/inference/model-inputs.ts';
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
/** The likeliest class, and how likely it is. */
const CLASS_OUTPUTS = [tensor('label'), tensor('probability', 'FP64')];

/** What a model with this spec takes and answers; a text behind a picture or a sound may be left out. */
export function tensorsOf(spec: InputSpec) {
  const takes = modelInputsOf(spec);
  const inputs = INPUT_NAMES.filter((name) => takes[name]).map((name) => tensor(name));
  if (!takes.text) return { inputs, outputs: CLASS_OUTPUTS };
  const { labels = [] } = (spec.core ?? {}) as { readonly labels?: readonly string[] };
  return { inputs, outputs: labels.length > 1 ? [TEXT, ...CLASS_OUTPUTS] : [TEXT] };
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
  const asked = elementsOf(inputs);
  const known = [TEXT, ...CLASS_OUTPUTS];
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
  return asked.map((elements) =>
    parseBody(InferRequest, {
      model_id: modelId,
      ...(version !== undefined && { version }),
      inputs: elements,
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

/** One request for each element of the tensors, which are equally many. */
function elementsOf(inputs: readonly Input[]): InferInputs[] {
  const tensors = inputs.map(
    (input, place) => [nameOf(input, inputs), textsOf(input, place)] as const,
  );
  const [first] = tensors;
  const uneven = tensors.findIndex(([, texts]) => texts.length !== first?.[1].length);
  if (uneven >= 0) {
    const detail = `${tensors[uneven]?.[1].length} elements: expected ${first?.[1].length}, one for each of ${first?.[0]}`;
    throw invalid(`/inputs/${uneven}/shape`, 'invalid_value', detail);
  }
  return (first?.[1] ?? []).map((_, place) =>
    Object.fromEntries(tensors.map(([name, texts]) => [name, texts[place]])),
  );
}

function nameOf(input: Input, inputs: readonly Input[]): InputName {
  const name = INPUT_NAMES.find((one) => one === input.name);
  const isOnce = inputs.filter((one) => one.name === input.name).length === 1;
  if (name !== undefined && isOnce) return name;
  const names = inputs.map((one) => one.name).join(', ');
  const detail = `got ${names}: expected the input text, image or audio, each once at most`;
  throw invalid('/inputs', 'invalid_value', detail);
}

function textsOf({ name, datatype, shape, data }: Input, place: number): readonly string[] {
  if (datatype !== TEXT.datatype) {
    throw invalid(
      `/inputs/${place}/datatype`,
      'invalid_value',
      `${name} is BYTES, got ${datatype}`,
    );
  }
  // Data may be nested as the shape is, or flat.
  const texts = data.flat(Infinity);
  const size = shape.reduce((product, length) => product * length, 1);
  if (size !== texts.length || shape.some((length) => length < 0)) {
    throw invalid(
      `/inputs/${place}/shape`,
      'invalid_value',
      `[${shape.join(', ')}] does not fit ${texts.length} elements`,
    );
  }
  if (texts.length === 0 || texts.length > MAX_BATCH_REQUESTS) {
    const detail = `${texts.length} texts: expected 1 to ${MAX_BATCH_REQUESTS}`;
    throw invalid(`/inputs/${place}/data`, 'invalid_value', detail);
  }
  return texts.map((text) => {
    if (typeof text === 'string') return text;
    throw invalid(
      `/inputs/${place}/data`,
      'invalid_value',
      `BYTES are strings, got ${JSON.stringify(text)}`,
    );
  });
}

/** What was answered, in the shape of what was asked; the outputs that were asked for, or all. */
export function outputsOf(
  { inputs, outputs = [] }: InferenceRequest,
  answers: readonly InferAnswer[],
): Output[] {
  const shape = inputs[0]?.shape ?? [answers.length];
  const [first] = answers;
  const { text, classes }: Partial<Record<'text' | 'classes', unknown>> = first?.outputs ?? {};
  const known = [...(text === undefined ? [] : [TEXT]), ...(classes ? CLASS_OUTPUTS : [])];
  return known
    .filter(({ name }) => outputs.length === 0 || outputs.some((asked) => asked.name === name))
    .map(({ name, datatype }) => ({
      name,
      datatype,
      shape,
      data: answers.map((answer) => elementOf(name, answer)),
    }));
}

function elementOf(name: string, { outputs }: InferAnswer): string | number {
  if (name === 'text') return 'text' in outputs ? outputs.text : '';
  const likeliest = outputs.classes?.[0] ?? { label: '', probability: 0 };
  return name === 'label' ? likeliest.label : likeliest.probability;
}
