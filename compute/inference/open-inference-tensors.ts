import {
  InferConfig,
  InferRequest,
  type InferResponse,
  MAX_BATCH_REQUESTS,
} from '../../edge/contract/inference/infer.ts';
import type {
  InferenceRequest,
  InferenceResponse,
} from '../../edge/contract/inference/open-inference.ts';
import { parseBody } from '../../edge/contract/parse.ts';
import { invalid } from '../../edge/http/infer-answer.ts';
import type { ModelChoice } from './registry-source.ts';

/** A text model takes any number of texts and answers one for each. */
const TEXT = { name: 'text', datatype: 'BYTES' as const, shape: [-1] };
export const INPUTS = [TEXT];
export const OUTPUTS = [TEXT];

type Input = InferenceRequest['inputs'][number];
type Output = InferenceResponse['outputs'][number];

/**
 * A request of the Open Inference Protocol as requests of ours, one for each text.
 *
 * @throws Problem validation_failed
 */
export function requestsOf(
  { parameters = {}, inputs, outputs = [] }: InferenceRequest,
  { modelId, version }: ModelChoice,
): InferRequest[] {
  const strange = outputs.find(({ name }) => name !== TEXT.name);
  if (strange) {
    throw invalid('/outputs', 'invalid_value', `there is no output ${strange.name}: expected text`);
  }
  const { priority, timeout_ms, ...config } = parameters;
  return textsOf(inputs).map((text) =>
    parseBody(InferRequest, {
      model_id: modelId,
      ...(version !== undefined && { version }),
      inputs: { text },
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

function textsOf(inputs: readonly Input[]): string[] {
  const [input, ...more] = inputs;
  if (!input || more.length > 0 || input.name !== TEXT.name) {
    const names = inputs.map(({ name }) => name).join(', ');
    throw invalid('/inputs', 'invalid_value', `got ${names}: expected the one input text`);
  }
  const { datatype, shape, data } = input;
  if (datatype !== TEXT.datatype) {
    throw invalid('/inputs/0/datatype', 'invalid_value', `text is BYTES, got ${datatype}`);
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
  return texts.map((text) => {
    if (typeof text === 'string') return text;
    throw invalid(
      '/inputs/0/data',
      'invalid_value',
      `BYTES are strings, got ${JSON.stringify(text)}`,
    );
  });
}

/** What was written, in the shape of what was asked. */
export function outputOf({ inputs }: InferenceRequest, answers: readonly InferResponse[]): Output {
  return {
    name: TEXT.name,
    datatype: TEXT.datatype,
    shape: inputs[0]?.shape ?? [answers.length],
    data: answers.map(({ outputs }) => outputs.text),
  };
}
