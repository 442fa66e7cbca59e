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
import { imageAxes, mediaFiles, type MediaShapes, mediaShapesOf } from './media-tensors.ts';
import type { ModelChoice, ServedSpec } from './registry-source.ts';

type Tensor = z.output<typeof TensorMetadata>;

/** Any number of texts, or of pictures or sounds in base64; an answer for each. */
const tensor = (
  name: string,
  datatype: Tensor['datatype'] = 'BYTES',
  axes: readonly number[] = [],
): Tensor => ({ name, datatype, shape: [-1, ...axes] });
const TEXT = tensor('text');
const INPUT_NAMES = ['text', 'image', 'audio'] as const;
type InputName = (typeof INPUT_NAMES)[number];
/** The likeliest class, and how likely it is. */
const CLASS_OUTPUTS = [tensor('label'), tensor('probability', 'FP64')];
/** The same of all classes, the likeliest first; answered where they are asked for by name. */
const ranking = (classes = -1) => [
  tensor('labels', 'BYTES', [classes]),
  tensor('probabilities', 'FP64', [classes]),
];
const RANKED = ranking();

/** What a model takes and answers. Pictures and sounds are numbers, or files in base64 as BYTES [-1]. */
export function tensorsOf(spec: ServedSpec) {
  const { image, audio } = mediaShapesOf(spec);
  const classes = spec.output_dim ?? spec.output_neurons;
  const outputs = [...CLASS_OUTPUTS, ...ranking(classes)];
  if (spec.architecture === 'spiking_vision' && image) {
    return { inputs: [tensor('image', 'UINT8', imageAxes(image))], outputs };
  }
  if (spec.architecture === 'spiking_audio' && audio) {
    return { inputs: [tensor('audio', 'FP32', [-1])], outputs };
  }
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
  shapes: MediaShapes = {},
): InferRequest[] {
  const { name, texts } = textsOf(inputs, shapes);
  const known = name === 'text' ? [TEXT] : [...CLASS_OUTPUTS, ...RANKED];
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

function textsOf(
  inputs: readonly Input[],
  shapes: MediaShapes,
): {
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
    const files = mediaFiles({ input, pointer: '/inputs/0' }, shapes);
    checkCount(files.length);
    return { name, texts: files };
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
  checkCount(texts.length);
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

function checkCount(count: number): void {
  if (count >= 1 && count <= MAX_BATCH_REQUESTS) return;
  const detail = `${count} elements: expected 1 to ${MAX_BATCH_REQUESTS}`;
  throw invalid('/inputs/0/data', 'invalid_value', detail);
}

/** What was answered, in the shape of what was asked; the outputs that were asked for, or all. */
export function outputsOf(
  { inputs, outputs = [] }: InferenceRequest,
  answers: readonly InferAnswer[],
): Output[] {
  const isNumeric = inputs[0]?.datatype !== TEXT.datatype;
  const shape = isNumeric ? [answers.length] : (inputs[0]?.shape ?? [answers.length]);
  const first = answers[0];
  const isText = first !== undefined && 'text' in first.outputs;
  const isAsked = ({ name }: Tensor) => outputs.some((asked) => asked.name === name);
  const known = isText ? [TEXT] : CLASS_OUTPUTS;
  const single = known
    .filter((one) => outputs.length === 0 || isAsked(one))
    .map(({ name, datatype }) => ({
      name,
      datatype,
      shape,
      data: answers.map((answer) => elementOf(name, answer)),
    }));
  const all = RANKED.filter((one) => !isText && isAsked(one)).map(({ name, datatype }) => {
    const rows = answers.map((answer) => rankedOf(name, answer));
    return { name, datatype, shape: [...shape, rows[0]?.length ?? 0], data: rows.flat() };
  });
  return [...single, ...all];
}

function rankedOf(name: string, { outputs }: InferAnswer): (string | number)[] {
  const classes = 'classes' in outputs ? outputs.classes : [];
  return classes.map(({ label, probability }) => (name === 'labels' ? label : probability));
}

function elementOf(name: string, { outputs }: InferAnswer): string | number {
  if ('text' in outputs) return outputs.text;
  const likeliest = outputs.classes[0] ?? { label: '', probability: 0 };
  return name === 'label' ? likeliest.label : likeliest.probability;
}
