import type { KernelName } from '../../kernels/kernels.ts';
import { operandsOf, type KernelCall } from '../../graph/kernel.ts';
import { EngineError } from '../../errors.ts';
import type { ParameterLayout } from '../../graph/parameters.ts';
import { type Program, sharedTensors } from '../../graph/program.ts';
import { byteLength, describe, type Tensor, WORD_BYTES, wordCount } from '../../graph/tensor.ts';
import type { Backend, Player } from '../../graph/backend.ts';
import { attentionKernels } from './attention-kernels.ts';
import { chronospikeKernels } from './chronospike-kernels.ts';
import { convolutionKernels } from './convolution-kernels.ts';
import { encoderKernels } from './encoder-kernels.ts';
import { isWritten, variantOf } from '../../kernel-language/written-kernel.ts';
import { interpret } from './interpret.ts';
import { linearKernels } from './linear-kernels.ts';
import { memoryKernels } from './memory-kernels.ts';
import { neuronKernels } from './neuron-kernels.ts';
import { plasticityKernels } from './plasticity-kernels.ts';
import { ruleKernels } from './rule-kernels.ts';
import { simulatorKernels } from './simulator-kernels.ts';
import { routingKernels } from './routing-kernels.ts';
import { sparseKernels } from './sparse-kernels.ts';
import { trainingKernels } from './training-kernels.ts';
import type { ReferenceKernels, Views } from './views.ts';

const kernels: ReferenceKernels = {
  ...trainingKernels,
  ...memoryKernels,
  ...linearKernels,
  ...neuronKernels,
  ...attentionKernels,
  ...ruleKernels,
  ...plasticityKernels,
  ...simulatorKernels,
  ...convolutionKernels,
  ...encoderKernels,
  ...routingKernels,
  ...sparseKernels,
  ...chronospikeKernels,
};

/** A player whose numbers can be seen and set in full precision; for tests. */
export interface ReferencePlayer extends Player {
  /** The float64 values of an f32 tensor, live: writing to it changes the tensor. */
  values(tensor: Tensor): Float64Array;
}

export interface ReferenceBackend extends Backend {
  load(layout: ParameterLayout, programs: readonly Program[]): Promise<ReferencePlayer>;
}

/** Plays programs in plain TypeScript and float64, on the planned memory. Slow; the meaning of every kernel. */
export function openReferenceBackend(): ReferenceBackend {
  return {
    device: {
      backend: 'reference',
      label: 'reference (float64 in plain TypeScript, for tests)',
      isHardware: false,
      features: [],
      maxBlockBytes: undefined,
    },
    lost: new Promise(() => {}),
    load: async (layout, programs) => createPlayer(allocate(layout, programs)),
    close: () => {},
  };
}

/** Words of a block twice: as numbers and as bits. */
interface Words {
  readonly numbers: Float64Array;
  readonly bits: Uint32Array;
}

type Memory = ReadonlyMap<Tensor, Words>;

function allocate(layout: ParameterLayout, programs: readonly Program[]): Memory {
  const memory = new Map<Tensor, Words>();
  const place = (tensor: Tensor, { numbers, bits }: Words, offsetBytes: number) => {
    const start = offsetBytes / WORD_BYTES;
    const end = start + wordCount(tensor);
    memory.set(tensor, { numbers: numbers.subarray(start, end), bits: bits.subarray(start, end) });
  };
  const values = block(layout.blockBytes);
  const gradients = block(layout.blockBytes);
  place(layout.values, values, 0);
  place(layout.gradients, gradients, 0);
  place(layout.momentum, block(layout.blockBytes), 0);
  place(layout.variance, block(layout.blockBytes), 0);
  for (const { value, gradient, offsetBytes } of layout.parameters) {
    place(value, values, offsetBytes);
    place(gradient, gradients, offsetBytes);
  }
  for (const tensor of sharedTensors(programs)) place(tensor, block(byteLength(tensor)), 0);
  const arena = block(Math.max(...programs.map((program) => program.arena.arenaBytes)));
  for (const program of programs) {
    const locals = block(program.localBytes);
    for (const { tensor, offsetBytes } of program.locals) place(tensor, locals, offsetBytes);
    for (const { tensor, offsetBytes } of program.arena.placements) {
      place(tensor, arena, offsetBytes);
    }
    for (const { tensor, data } of program.constants) store(wordsOf(memory, tensor), tensor, data);
  }
  return memory;
}

function block(bytes: number): Words {
  return {
    numbers: new Float64Array(bytes / WORD_BYTES),
    bits: new Uint32Array(bytes / WORD_BYTES),
  };
}

function createPlayer(memory: Memory): ReferencePlayer {
  return {
    play(program, times = 1) {
      for (let run = 0; run < times; run++) {
        for (const call of program.calls) runCall(memory, call);
      }
    },
    async time(program) {
      return Float64Array.from(program.calls, (call) => {
        const started = performance.now();
        runCall(memory, call);
        return performance.now() - started;
      });
    },
    write(tensor, data) {
      if (data.length !== wordCount(tensor)) {
        throw new EngineError(
          'shape-mismatch',
          `${describe(tensor)} takes ${wordCount(tensor)} words but was given ${data.length}`,
        );
      }
      store(wordsOf(memory, tensor), tensor, data);
    },
    async read(tensor) {
      const { numbers, bits } = wordsOf(memory, tensor);
      return tensor.dtype === 'f32' ? Float32Array.from(numbers) : bits.slice();
    },
    values: (tensor) => wordsOf(memory, tensor).numbers,
    settled: async () => {},
    close: () => {},
  };
}

function runCall(memory: Memory, call: KernelCall): void {
  const operands = new Map(operandsOf(call).map(({ name, tensor }) => [name, tensor]));
  if (isWritten(call.kernel)) {
    const own = (name: string) => {
      const tensor = operands.get(name);
      if (tensor) return { ...wordsOf(memory, tensor), isFloat: tensor.dtype === 'f32' };
      throw new EngineError('shape-mismatch', `${call.kernel.name} has no operand ${name}`);
    };
    interpret(variantOf(call).body, {
      numbers(name) {
        const { numbers, bits, isFloat } = own(name);
        // A kernel that clears words of any type clears bits, too.
        return isFloat ? numbers : bits;
      },
      words(name) {
        const { numbers, bits, isFloat } = own(name);
        return isFloat ? numbers : bits;
      },
      attribute: (name) => Number(call.attributes[name]),
    });
    return;
  }
  const find = (name: string) => {
    const tensor = operands.get(name);
    if (!tensor)
      throw new EngineError('shape-mismatch', `${call.kernel.name} has no operand ${name}`);
    return wordsOf(memory, tensor);
  };
  const views: Views<KernelName> = {
    f: (name) => find(name).numbers,
    u: (name) => find(name).bits,
    optional: (name) => (operands.has(name) ? find(name).numbers : undefined),
    optionalWords: (name) => (operands.has(name) ? find(name).bits : undefined),
  };
  // The kernel found under a call's name takes that call; TypeScript loses the correlation.
  const kernel = (kernels as Readonly<Record<string, unknown>>)[call.kernel.name] as (
    views: object,
    attributes: object,
  ) => void;
  kernel(views, call.attributes);
}

function store(words: Words, tensor: Tensor, data: Float32Array | Uint32Array): void {
  if (tensor.dtype === 'f32') words.numbers.set(data);
  else words.bits.set(data);
}

function wordsOf(memory: Memory, tensor: Tensor): Words {
  const words = memory.get(tensor);
  if (words) return words;
  throw new EngineError('shape-mismatch', `no loaded program holds ${describe(tensor)}`);
}
