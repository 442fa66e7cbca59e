import { EngineError } from '../errors.ts';
import type { NirPrimitive } from './graph.ts';
import type { PlannedNode } from './plan.ts';
import { type Shape, sizeOf } from './shapes.ts';
import { type Window, windowOf } from './windows.ts';

/** A linear map as the product takes it. */
export interface Matrix {
  /** `[inputs, outputs]` */
  readonly weight: Float32Array;
  /** `[outputs]` */
  readonly bias: Float32Array;
}

/** Numbers of the largest matrix: 256 MiB. */
const LARGEST = 2 ** 26;

/** The matrix of a linear node, of a convolution or of a pool; undefined for every other node. */
export function matrixOf({ name, node, input, output }: PlannedNode): Matrix | undefined {
  switch (node.type) {
    case 'Affine':
      return { weight: transposed(node), bias: Float32Array.from(node.bias.data) };
    case 'Linear':
      return { weight: transposed(node), bias: new Float32Array(sizeOf(output)) };
    case 'Conv1d':
    case 'Conv2d':
    case 'SumPool2d':
    case 'AvgPool2d':
      return convolutionMatrix(name, node, input, output);
    default:
      return undefined;
  }
}

function transposed({ weight }: NirPrimitive<'Affine' | 'Linear'>): Float32Array {
  const [outputs = 0, inputs = 0] = weight.shape;
  const result = new Float32Array(inputs * outputs);
  for (let o = 0; o < outputs; o++) {
    for (let i = 0; i < inputs; i++) result[i * outputs + o] = weight.data[o * inputs + i] ?? 0;
  }
  return result;
}

type Windowed = NirPrimitive<'Conv1d' | 'Conv2d' | 'SumPool2d' | 'AvgPool2d'>;

/** A convolution written out: row i has what input i adds to each output. */
function convolutionMatrix(name: string, node: Windowed, input: Shape, output: Shape): Matrix {
  const [inputs, outputs] = [sizeOf(input), sizeOf(output)];
  if (inputs * outputs > LARGEST) {
    throw new EngineError(
      'invalid-structure',
      `NIR: ${name} (${node.type}) maps ${inputs} to ${outputs} numbers: at most ${LARGEST} products`,
    );
  }
  const weight = new Float32Array(inputs * outputs);
  const planes = planesOf(node, input, output);
  for (const [to, from, kernel] of planes) {
    eachTouch(windowOf(node), input, output, (source, target, tap) => {
      const at = (from * planeOf(input) + source) * outputs + to * planeOf(output) + target;
      weight[at] = kernel(tap);
    });
  }
  const bias = new Float32Array(outputs);
  if ('bias' in node) {
    for (let o = 0; o < outputs; o++)
      bias[o] = node.bias.data[Math.floor(o / planeOf(output))] ?? 0;
  }
  return { weight, bias };
}

type Plane = readonly [to: number, from: number, kernel: (tap: number) => number];

/** Which channels are joined by which kernel. */
function planesOf(node: Windowed, input: Shape, output: Shape): Plane[] {
  const [channels = 0] = input;
  const [outputs = 0] = output;
  if (node.type === 'SumPool2d' || node.type === 'AvgPool2d') {
    // Zeros of the border count for the mean, as they do in PyTorch.
    const share = node.type === 'SumPool2d' ? 1 : 1 / sizeOf(node.kernel_size);
    return Array.from({ length: channels }, (_, c) => [c, c, () => share]);
  }
  const { weight, groups } = node;
  const [, depth = 0, ...kernel] = weight.shape;
  const taps = sizeOf(kernel);
  return Array.from({ length: outputs }, (_, to) => {
    const first = Math.floor((to * groups) / outputs) * depth;
    return Array.from({ length: depth }, (__, d): Plane => {
      const at = (to * depth + d) * taps;
      return [to, first + d, (tap) => weight.data[at + tap] ?? 0];
    });
  }).flat();
}

/** Places of one channel. */
function planeOf(shape: Shape): number {
  return sizeOf(shape.slice(1));
}

/** Visits every pair of places in a plane that a kernel's tap joins. One axis is a plane of height 1. */
function eachTouch(
  window: Window,
  input: Shape,
  output: Shape,
  visit: (source: number, target: number, tap: number) => void,
): void {
  const rows = touches(window, input, output, input.length - 2);
  const columns = touches(window, input, output, input.length - 1);
  const [width = 1, outputWidth = 1, taps = 1] = [
    input.at(-1),
    output.at(-1),
    window.kernel.at(-1),
  ];
  for (const row of rows) {
    for (const column of columns) {
      visit(
        row.source * width + column.source,
        row.target * outputWidth + column.target,
        row.tap * taps + column.tap,
      );
    }
  }
}

interface Touch {
  readonly source: number;
  readonly target: number;
  readonly tap: number;
}

/** The places that taps join along one axis of a shape; the first axis are channels. */
function touches(window: Window, input: Shape, output: Shape, axis: number): Touch[] {
  if (axis === 0) return [{ source: 0, target: 0, tap: 0 }];
  const [kernel = 0, stride = 0, dilation = 0] = [
    window.kernel[axis - 1],
    window.stride[axis - 1],
    window.dilation[axis - 1],
  ];
  const [before = 0] = window.padding[axis - 1] ?? [];
  const found: Touch[] = [];
  for (let target = 0; target < (output[axis] ?? 0); target++) {
    for (let tap = 0; tap < kernel; tap++) {
      const source = target * stride - before + tap * dilation;
      if (source >= 0 && source < (input[axis] ?? 0)) found.push({ source, target, tap });
    }
  }
  return found;
}
