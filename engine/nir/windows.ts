import { EngineError } from '../errors.ts';
import type { NirPrimitive } from './graph.ts';

/** How a kernel moves over its input, an entry for each axis. */
export interface Window {
  readonly kernel: readonly number[];
  readonly stride: readonly number[];
  readonly dilation: readonly number[];
  /** Zeros in front of and behind each axis. */
  readonly padding: readonly (readonly [before: number, after: number])[];
}

type Convolution = NirPrimitive<'Conv1d' | 'Conv2d'>;
type Pool = NirPrimitive<'SumPool2d' | 'AvgPool2d'>;

/** The window of a convolution or a pool. `same` adds what the kernel covers less 1, the odd one behind. */
export function windowOf(node: Convolution | Pool): Window {
  if (node.type === 'SumPool2d' || node.type === 'AvgPool2d') {
    const padding = node.padding.map((width) => [width, width] as const);
    return { kernel: node.kernel_size, stride: node.stride, dilation: [1, 1], padding };
  }
  const kernel = node.weight.shape.slice(2);
  const dilation = perAxis(node.dilation);
  const padding = kernel.map((length, axis) =>
    borderOf(node.padding, axis, (dilation[axis] ?? 1) * (length - 1)),
  );
  return { kernel, stride: perAxis(node.stride), dilation, padding };
}

function borderOf(
  padding: Convolution['padding'],
  axis: number,
  missing: number,
): readonly [number, number] {
  if (padding === 'valid') return [0, 0];
  if (padding === 'same') return [Math.floor(missing / 2), Math.ceil(missing / 2)];
  const width = perAxis(padding)[axis] ?? 0;
  return [width, width];
}

function perAxis(value: number | readonly number[]): readonly number[] {
  return typeof value === 'number' ? [value] : value;
}

/** How often the window fits along each axis. Throws EngineError `shape-mismatch` where it never does. */
export function slide(where: string, extent: readonly number[], window: Window): number[] {
  return extent.map((length, axis) => {
    const [kernel = 0, stride = 0, dilation = 0] = [
      window.kernel[axis],
      window.stride[axis],
      window.dilation[axis],
    ];
    const [before = 0, after = 0] = window.padding[axis] ?? [];
    atLeast(where, { kernel, stride, dilation }, 1);
    atLeast(where, { padding: before }, 0);
    const room = length + before + after - dilation * (kernel - 1) - 1;
    if (room < 0) {
      refuse(`${where}: a kernel of ${kernel} does not fit into ${extent.join(' x ')}`);
    }
    return Math.floor(room / stride) + 1;
  });
}

function atLeast(where: string, values: Readonly<Record<string, number>>, least: number): void {
  for (const [name, value] of Object.entries(values)) {
    if (value < least) refuse(`${where}: ${name} is ${value}: expected ${least} or more`);
  }
}

function refuse(message: string): never {
  throw new EngineError('shape-mismatch', `NIR: ${message}`);
}
