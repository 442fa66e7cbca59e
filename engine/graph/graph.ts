import { EngineError } from '../errors.ts';
import type { GradientRule } from './gradient-rule.ts';
import type { AttributesOf, Kernel, KernelCall, OperandsOf, Roles, Schema } from './kernel.ts';
import type { Parameter, ParameterLayout } from './parameters.ts';
import { buildProgram, type Constant, type Program } from './program.ts';
import type { Segment } from './segments.ts';
import { byteLength, describe, type DType, type Tensor } from './tensor.ts';

/**
 * Records kernel calls. Ops (`engine/ops`) check shapes, call kernels and register their gradient
 * rule here; `build` plans the memory and freezes the record into a Program.
 */
export class Graph {
  readonly name: string;
  readonly layout: ParameterLayout;
  /** The part of the time steps that is recorded; absent where it is all of them. Ops over time heed it. */
  readonly segment: Segment | undefined;
  readonly rules: GradientRule[] = [];
  readonly #calls: KernelCall[] = [];
  readonly #locals: Tensor[] = [];
  readonly #constants: Constant[] = [];
  readonly #trained = new Map<Tensor, Parameter>();
  readonly #differentiable = new Set<Tensor>();

  constructor(name: string, layout: ParameterLayout, segment?: Segment) {
    this.name = name;
    this.layout = layout;
    this.segment = segment;
  }

  parameter(name: string): Tensor {
    const parameter = this.layout.get(name);
    this.#trained.set(parameter.value, parameter);
    this.#differentiable.add(parameter.value);
    return parameter.value;
  }

  /** A persistent tensor of this program: an input the host writes, an output it reads, or carried state. */
  local(name: string, dtype: DType, shape: readonly number[]): Tensor {
    return this.#addLocal({ name, dtype, shape, block: 'local' });
  }

  /** A persistent tensor whose values are known now. */
  constant(name: string, shape: readonly number[], data: Float32Array | Uint32Array): Tensor {
    const dtype = data instanceof Float32Array ? 'f32' : 'u32';
    const tensor = this.local(name, dtype, shape);
    if (byteLength(tensor) !== data.byteLength) {
      throw new EngineError(
        'shape-mismatch',
        `constant ${describe(tensor)} needs ${byteLength(tensor)} bytes but is given ${data.byteLength}`,
      );
    }
    this.#constants.push({ tensor, data });
    return tensor;
  }

  /** Scratch: planned into the arena, meaningless once the play has ended. */
  scratch(name: string, dtype: DType, shape: readonly number[]): Tensor {
    return { name, dtype, shape, block: 'arena' };
  }

  call<R extends Roles, S extends Schema>(
    kernel: Kernel<R, S>,
    operands: OperandsOf<R>,
    attributes: AttributesOf<S>,
  ): KernelCall {
    const call = callOf(kernel, operands, attributes);
    this.#calls.push(call);
    return call;
  }

  /**
   * Puts another call in the place of one that `call` returned: a gradient rule may have its forward kernel
   * compute more, once it is known that a gradient is taken at all.
   */
  replace<R extends Roles, S extends Schema>(
    known: KernelCall,
    kernel: Kernel<R, S>,
    { operands, attributes }: { operands: OperandsOf<R>; attributes: AttributesOf<S> },
  ): void {
    const place = this.#calls.indexOf(known);
    if (place === -1) throw new Error(`${this.name} has no such call of ${known.kernel.name}`);
    this.#calls[place] = callOf(kernel, operands, attributes);
  }

  /** Registers an op's gradient rule and makes its output differentiable if any input is. */
  differentiable(rule: GradientRule): void {
    if (!rule.inputs.some((input) => this.#differentiable.has(input))) return;
    this.#differentiable.add(rule.output);
    this.rules.push(rule);
  }

  needsGradient(tensor: Tensor): boolean {
    return this.#differentiable.has(tensor);
  }

  /** The gradient tensor of a parameter; undefined for any other tensor. */
  parameterGradient(tensor: Tensor): Tensor | undefined {
    return this.#trained.get(tensor)?.gradient;
  }

  build(): Program {
    return buildProgram(this.name, this.#calls, this.#locals, this.#constants);
  }

  #addLocal(tensor: Tensor): Tensor {
    if (this.#locals.some(({ name }) => name === tensor.name)) {
      throw new EngineError(
        'invalid-structure',
        `${this.name}: two local tensors are named ${tensor.name}`,
      );
    }
    this.#locals.push(tensor);
    return tensor;
  }
}

function callOf<R extends Roles, S extends Schema>(
  kernel: Kernel<R, S>,
  operands: OperandsOf<R>,
  attributes: AttributesOf<S>,
): KernelCall {
  // The types of a kernel's row are checked here; a record of calls holds kernels of all types.
  return { kernel, operands, attributes } as unknown as KernelCall;
}
