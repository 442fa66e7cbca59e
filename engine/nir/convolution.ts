import type { Graph } from '../graph/graph.ts';
import type { Tensor } from '../graph/tensor.ts';
import { conv2d } from '../ops/conv2d.ts';
import { averagePool2d, sumPool2d } from '../ops/pool2d.ts';
import { type Image, type WindowOptions, windowOver } from '../ops/window.ts';
import type { NirPrimitive, Shape } from './graph.ts';
import type { PersistentTensors } from './persistent-tensors.ts';

export type Convolution = NirPrimitive<'Conv1d' | 'Conv2d'>;
export type Pool = NirPrimitive<'SumPool2d' | 'AvgPool2d'>;

/** How the kernel of a node moves. One axis is an image of height 1. */
interface NodeWindow extends WindowOptions {
  readonly kernel: readonly [height: number, width: number];
}

function windowOf(node: Convolution | Pool): NodeWindow {
  switch (node.type) {
    case 'Conv1d': {
      const [, , length = 0] = node.weight.shape;
      const { stride, padding, dilation } = node;
      return {
        kernel: [1, length],
        stride: [1, stride],
        padding: typeof padding === 'number' ? [0, padding] : padding,
        dilation: [1, dilation],
      };
    }
    case 'Conv2d': {
      const [, , height = 0, width = 0] = node.weight.shape;
      const { stride, padding, dilation } = node;
      return { kernel: [height, width], stride, padding, dilation };
    }
    default: {
      const { kernel_size, stride, padding } = node;
      return { kernel: kernel_size, stride, padding };
    }
  }
}

function imageOf([channels = 0, ...extent]: Shape): Image {
  const [height = 1, width = 1] = extent.length === 1 ? [1, ...extent] : extent;
  return { channels, height, width };
}

/** The extent of the output behind its channels. Throws EngineError for a kernel that does not fit. */
export function extentOf(where: string, node: Convolution | Pool, input: Shape): Shape {
  const { kernel, ...options } = windowOf(node);
  const { outHeight, outWidth } = windowOver(`NIR: ${where}`, imageOf(input), kernel, options);
  return node.type === 'Conv1d' ? [outWidth] : [outHeight, outWidth];
}

/** Records a convolution. */
export function convolve(
  graph: Graph,
  persistent: PersistentTensors,
  signal: Tensor,
  { name, node, input }: { name: string; node: Convolution; input: Shape },
): Tensor {
  const { kernel, ...options } = windowOf(node);
  const [outputs = 0, depth = 0] = node.weight.shape;
  const weight = persistent.constant(`${name} weight`, [outputs, depth, ...kernel], () =>
    Float32Array.from(node.weight.data),
  );
  const bias = persistent.constant(`${name} bias`, [outputs], () =>
    Float32Array.from(node.bias.data),
  );
  const { groups } = node;
  return conv2d(graph, signal, weight, { ...options, image: imageOf(input), groups, bias });
}

/** Records a pool. */
export function pool(graph: Graph, signal: Tensor, node: Pool, input: Shape): Tensor {
  const options = { ...windowOf(node), image: imageOf(input) };
  const record = node.type === 'SumPool2d' ? sumPool2d : averagePool2d;
  return record(graph, signal, options);
}
