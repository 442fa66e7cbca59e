import type * as z from 'zod/mini';
import {
  type InferAnswer,
  InferConfig,
  type InferInputs,
  InferRequest,
  MAX_BATCH_REQUESTS,
} from '../../edge/inference/contract/infer.ts';
import {
  INPUT_NAMES,
  type InputName,
  modelInputsOf,
} from '../../edge/inference/contract/request-inputs.ts';
import type {
  InferenceRequest,
  InferenceResponse,
  TensorMetadata,
} from '../../edge/inference/contract/open-inference.ts';
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
/** The likeliest class, and how likely it is. */
const CLASS_OUTPUTS = [tensor('label'), tensor('probability', 'FP64')];
/** The same of all classes, the likeliest first; answered where they are asked for by name. */
const ranking = (classes = -1) => [
  tensor('labels', 'BYTES', [classes]),
  tensor('probabilities', 'FP64', [classes]),
];
const RANKED = ranking();

/** Input and output tensors of a model. Images and audio are numbers, or files in base64 as BYTES [-1]. */
export function tensorsOf(spec: ServedSpec) {
  const takes = modelInputsOf(spec);
  const inputs = INPUT_NAMES.filter((name) => takes[name]).map((name) => inputTensor(name, spec));
  const { labels = [] } = (spec.core ?? {}) as { readonly labels?: readonly string[] };
  const classes = spec.output_dim ?? spec.output_neurons ?? labels.length;
  const ranked = [...CLASS_OUTPUTS, ...ranking(classes)];
  if (!takes.text) return { inputs, outputs: ranked };
  return { inputs, outputs: labels.length > 1 ? [TEXT, ...ranked] : [TEXT] };
}

function inputTensor(name: InputName, spec: ServedSpec): Tensor {
  const { image, audio } = mediaShapesOf(spec);
  if (name === 'image' && image) return tensor(name, 'UINT8', imageAxes(image));
  if (name === 'audio' && audio) return tensor(name, 'FP32', [-1]);
  return tensor(name);
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
  const asked = elementsOf(inputs, shapes);
  const known = [TEXT, ...CLASS_OUTPUTS, ...RANKED];
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
function elementsOf(inputs: readonly Input[], shapes: MediaShapes): InferInputs[] {
  const tensors = inputs.map(
    (input, place) => [nameOf(input, inputs), textsOf(input, `/inputs/${place}`, shapes)] as const,
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

/** The elements of a tensor: texts, or files in base64. */
function textsOf(input: Input, pointer: string, shapes: MediaShapes): readonly string[] {
  const { datatype, shape, data } = input;
  if (datatype !== TEXT.datatype) {
    const files = mediaFiles({ input, pointer }, shapes);
    checkCount(files.length, pointer);
    return files;
  }
  // Data may be nested as the shape is, or flat.
  const texts = data.flat(Infinity);
  const size = shape.reduce((product, length) => product * length, 1);
  if (size !== texts.length || shape.some((length) => length < 0)) {
    throw invalid(
      `${pointer}/shape`,
      'invalid_value',
      `[${shape.join(', ')}] does not fit ${texts.length} elements`,
    );
  }
  checkCount(texts.length, pointer);
  return texts.map((text) => {
    if (typeof text === 'string') return text;
    throw invalid(
      `${pointer}/data`,
      'invalid_value',
      `BYTES are strings, got ${JSON.stringify(text)}`,
    );
  });
}

function checkCount(count: number, pointer: string): void {
  if (count >= 1 && count <= MAX_BATCH_REQUESTS) return;
  const detail = `${count} elements: expected 1 to ${MAX_BATCH_REQUESTS}`;
  throw invalid(`${pointer}/data`, 'invalid_value', detail);
}

/** Output tensors in the shape of the request: those that it names, or all. */
export function outputsOf(
  { inputs, outputs = [] }: InferenceRequest,
  answers: readonly InferAnswer[],
): Output[] {
  const isNumeric = inputs[0]?.datatype !== TEXT.datatype;
  const shape = isNumeric ? [answers.length] : (inputs[0]?.shape ?? [answers.length]);
  const [first] = answers;
  const { text, classes }: Partial<Record<'text' | 'classes', unknown>> = first?.outputs ?? {};
  const isAsked = ({ name }: Tensor) => outputs.some((asked) => asked.name === name);
  const known = [...(text === undefined ? [] : [TEXT]), ...(classes ? CLASS_OUTPUTS : [])];
  const single = known
    .filter((one) => outputs.length === 0 || isAsked(one))
    .map(({ name, datatype }) => ({
      name,
      datatype,
      shape,
      data: answers.map((answer) => elementOf(name, answer)),
    }));
  const all = RANKED.filter((one) => classes !== undefined && isAsked(one)).map(
    ({ name, datatype }) => {
      const rows = answers.map((answer) => rankedOf(name, answer));
      return { name, datatype, shape: [...shape, rows[0]?.length ?? 0], data: rows.flat() };
    },
  );
  return [...single, ...all];
}

function rankedOf(name: string, { outputs }: InferAnswer): (string | number)[] {
  const { classes = [] } = outputs;
  return classes.map(({ label, probability }) => (name === 'labels' ? label : probability));
}

function elementOf(name: string, { outputs }: InferAnswer): string | number {
  if (name === 'text') return 'text' in outputs ? outputs.text : '';
  const likeliest = outputs.classes?.[0] ?? { label: '', probability: 0 };
  return name === 'label' ? likeliest.label : likeliest.probability;
}
