import {
  decodeSafetensors,
  encodeSafetensors,
  type SafetensorsEntry,
} from '../checkpoint/safetensors.ts';
import { EngineError } from '../errors.ts';
import { type Delta, type OuterState, QUANTISED_BLOCK } from './local-sgd.ts';

/** The state of the outer optimiser, beside the files of a checkpoint. */
export const OUTER_FILE = 'outer.safetensors';

/** A delta as one safetensors file: `values` in F32, or `scales` in F32 and `values` in I8. */
export function encodeDelta(delta: Delta): Uint8Array<ArrayBuffer> {
  const tensors = new Map<string, SafetensorsEntry>();
  if (delta.kind === 'int8') tensors.set('scales', vector(delta.scales));
  tensors.set('values', vector(delta.values));
  return encodeSafetensors({ tensors, metadata: { format: 'spikegrid-delta' } });
}

/**
 * Reads a delta of `count` numbers. Throws EngineError `checkpoint-damaged` for bytes that are no
 * delta, `checkpoint-mismatch` for one of a model of another size.
 */
export function decodeDelta(bytes: Uint8Array, file: string, count: number): Delta {
  const { tensors } = decodeSafetensors(bytes, file);
  const values = tensors.get('values')?.data;
  const scales = tensors.get('scales')?.data;
  if (values instanceof Float32Array) {
    checkCount(file, values.length, count);
    return { kind: 'float32', values: finite(file, values) };
  }
  if (!(values instanceof Int8Array) || !(scales instanceof Float32Array)) {
    damaged(file, 'expected values in F32, or values in I8 and scales in F32');
  }
  checkCount(file, values.length, count);
  const blocks = Math.ceil(count / QUANTISED_BLOCK);
  if (scales.length !== blocks) damaged(file, `${scales.length} scales, expected ${blocks}`);
  return { kind: 'int8', values, scales: finite(file, scales) };
}

/** The outer optimiser's momentum and how far it has come; the parameters are the checkpoint's own. */
export function encodeOuter({ momentum, round, tokens }: OuterState): Uint8Array<ArrayBuffer> {
  const metadata = { format: 'spikegrid-outer', round: String(round), tokens: String(tokens) };
  return encodeSafetensors({ tensors: new Map([['momentum', vector(momentum)]]), metadata });
}

/** Reads what `encodeOuter` wrote, for the parameter block of the same checkpoint. Throws as `decodeDelta`. */
export function decodeOuter(bytes: Uint8Array, parameters: Float32Array): OuterState {
  const { tensors, metadata } = decodeSafetensors(bytes, OUTER_FILE);
  const momentum = tensors.get('momentum')?.data;
  if (!(momentum instanceof Float32Array)) damaged(OUTER_FILE, 'expected a momentum in F32');
  checkCount(OUTER_FILE, momentum.length, parameters.length);
  const [round, tokens] = [Number(metadata['round']), Number(metadata['tokens'])];
  if (!isCount(round) || !isCount(tokens)) {
    damaged(OUTER_FILE, `round ${metadata['round']} and tokens ${metadata['tokens']}`);
  }
  return { parameters, momentum: finite(OUTER_FILE, momentum), round, tokens };
}

function vector(data: Float32Array | Int8Array): SafetensorsEntry {
  return { dtype: data instanceof Int8Array ? 'I8' : 'F32', shape: [data.length], data };
}

/** One member's number that is none would make the parameters of all so. */
function finite(file: string, values: Float32Array): Float32Array {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) damaged(file, `number ${at} is ${values[at]}`);
  return values;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function checkCount(file: string, found: number, expected: number): void {
  if (found === expected) return;
  throw new EngineError(
    'checkpoint-mismatch',
    `${file} has ${found} numbers, the model has ${expected}`,
  );
}

function damaged(file: string, what: string): never {
  throw new EngineError('checkpoint-damaged', `${file}: ${what}`);
}
