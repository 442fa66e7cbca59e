import { EngineError } from '../errors.ts';
import { alignOffset } from './memory-plan.ts';
import { byteLength, type Tensor, WORD_BYTES, wordCount } from './tensor.ts';

/** Distribution of a parameter's initial values. */
export type Initial =
  | { readonly kind: 'normal'; readonly deviation: number }
  /** From -bound to bound, around a centre that is 0 where it is left out. */
  | { readonly kind: 'uniform'; readonly bound: number; readonly centre?: number }
  | { readonly kind: 'constant'; readonly value: number };

/** A trained tensor: its name, shape and first values. */
export interface ParameterSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly initial: Initial;
  /** Whether weight decay applies: matrices yes, vectors and scalars no. */
  readonly decayed: boolean;
}

/** A parameter with its gradient and moments; the four lie at the same offset of their blocks. */
export interface Parameter {
  readonly spec: ParameterSpec;
  readonly value: Tensor;
  readonly gradient: Tensor;
  readonly offsetBytes: number;
}

/**
 * The parameters of one model in one contiguous block, decayed ones first, so that the optimiser is
 * one kernel over the block. Gradients have the same layout; moments hold the first and then the second.
 */
export interface ParameterLayout {
  readonly parameters: readonly Parameter[];
  /** The whole block as one tensor, padding included; padding is zero and stays zero. */
  readonly values: Tensor;
  readonly gradients: Tensor;
  readonly momentum: Tensor;
  readonly variance: Tensor;
  readonly blockBytes: number;
  /** Words at the front of the block that weight decay applies to. */
  readonly decayedWords: number;
  /** Trained numbers, padding excluded. */
  readonly count: number;
  get(name: string): Parameter;
}

/** Lays the specs out in one block. Names must be distinct. */
export function layOutParameters(specs: readonly ParameterSpec[]): ParameterLayout {
  const ordered = [...specs.filter((s) => s.decayed), ...specs.filter((s) => !s.decayed)];
  const parameters: Parameter[] = [];
  const byName = new Map<string, Parameter>();
  let end = 0;
  let decayedBytes = 0;
  for (const spec of ordered) {
    const base = { dtype: 'f32', shape: spec.shape } as const;
    const parameter: Parameter = {
      spec,
      value: { ...base, name: spec.name, block: 'parameters' },
      gradient: { ...base, name: `gradient of ${spec.name}`, block: 'gradients' },
      offsetBytes: end,
    };
    if (byName.has(spec.name)) {
      throw new EngineError('invalid-structure', `two parameters are named ${spec.name}`);
    }
    byName.set(spec.name, parameter);
    parameters.push(parameter);
    end = alignOffset(end + byteLength(parameter.value));
    if (spec.decayed) decayedBytes = end;
  }
  const words = end / WORD_BYTES;
  const whole = { dtype: 'f32', shape: [words] } as const;
  return {
    parameters,
    values: { ...whole, name: 'parameters', block: 'parameters' },
    gradients: { ...whole, name: 'gradients', block: 'gradients' },
    momentum: { ...whole, name: 'momentum', block: 'moments' },
    variance: { ...whole, name: 'variance', block: 'moments' },
    blockBytes: end,
    decayedWords: decayedBytes / WORD_BYTES,
    count: specs.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0),
    get(name) {
      const found = byName.get(name);
      if (found) return found;
      throw new EngineError('invalid-structure', `there is no parameter named ${name}`);
    },
  };
}

/** The values of one parameter in a block of all. */
export function parameterValues(
  { value, offsetBytes }: Parameter,
  block: Float32Array,
): Float32Array {
  const first = offsetBytes / WORD_BYTES;
  return block.subarray(first, first + wordCount(value));
}
