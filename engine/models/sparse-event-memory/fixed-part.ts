import type { Player } from '../../graph/backend.ts';
import { drawSynapses, drawTopology, weightShape } from '../../kernels/synapses.ts';
import { sharedTensor, type Tensor } from '../../graph/tensor.ts';
import type { Codebook } from '../../ops/codebook.ts';
import type { Synapses } from '../../ops/event-scan.ts';
import { byteWords } from '../../graph/tensor.ts';
import { keyOf, philox } from '../../random/philox.ts';
import type { RunBuffer } from '../../train/run-parts.ts';
import { sparseBuffers, type SparseStructure, synapseShape } from './structure.ts';

const CODE_STREAM = 0x434f4445;
const MAX_CODE = 127;

/** Tensors without gradients: the codes of tokens, and the synapses, which have a learning rule of their own. */
export interface FixedPart {
  readonly codebook: Codebook;
  readonly blocks: readonly BlockSynapses[];
  /** Every tensor of it, which all programs of a load share. */
  readonly tensors: readonly Tensor[];
}

export interface BlockSynapses {
  readonly input: Synapses;
  readonly recurrent: Synapses;
}

/** Names the tensors and draws the links; `drawFixedValues` gives what the tensors begin with. */
export function layOutFixedPart(structure: SparseStructure): FixedPart {
  const { vocabulary, rank, blocks, fixedSeed } = structure;
  const shape = synapseShape(structure);
  const words = sharedTensor('codebook', 'u32', [vocabulary, byteWords(rank)]);
  const synapses = (name: string, stream: number): Synapses => ({
    shape,
    weight: sharedTensor(name, 'u32', weightShape(shape)),
    topology: drawTopology(shape, fixedSeed, stream),
  });
  const parts = Array.from({ length: blocks }, (_, block) => ({
    input: synapses(`blocks.${block}.input`, 2 * block),
    recurrent: synapses(`blocks.${block}.recurrent`, 2 * block + 1),
  }));
  const weights = parts.flatMap(({ input, recurrent }) => [input.weight, recurrent.weight]);
  return { codebook: { vocabulary, rank, words }, blocks: parts, tensors: [words, ...weights] };
}

/** The values of a fresh model, tensor by tensor. */
export function drawFixedValues(structure: SparseStructure): Uint32Array[] {
  const shape = synapseShape(structure);
  const weights = Array.from({ length: 2 * structure.blocks }, (_, stream) =>
    drawSynapses(shape, structure.fixedSeed, stream),
  );
  return [drawCodes(structure), ...weights];
}

/** Codes uniform from -127 to 127; the bytes that fill the last word of a row are zero. */
function drawCodes({ vocabulary, rank, fixedSeed }: SparseStructure): Uint32Array {
  const packed = new Uint32Array(vocabulary * byteWords(rank));
  const codes = new Int8Array(packed.buffer);
  const stride = codes.length / vocabulary;
  for (let i = 0; i < vocabulary * rank; i++) {
    const [word = 0] = philox([i, 0, 0, CODE_STREAM], keyOf(fixedSeed));
    const code = Math.floor((word / 2 ** 32) * (2 * MAX_CODE + 1)) - MAX_CODE;
    codes[Math.floor(i / rank) * stride + (i % rank)] = code;
  }
  return packed;
}

/** Codes and synapses, in the order of `FixedPart.tensors`. */
export function bufferTensors(structure: SparseStructure, { tensors }: FixedPart): RunBuffer[] {
  return sparseBuffers(structure).flatMap((spec, index) => {
    const tensor = tensors[index];
    return tensor ? [{ ...spec, tensor }] : [];
  });
}

/** Writes the codes and synapses of a fresh model. */
export function startFixedPart(
  player: Player,
  structure: SparseStructure,
  { tensors }: FixedPart,
): void {
  const values = drawFixedValues(structure);
  for (const [index, tensor] of tensors.entries()) {
    player.write(tensor, values[index] ?? new Uint32Array());
  }
}
