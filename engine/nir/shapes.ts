import { EngineError } from '../errors.ts';
import { groupBy } from '../group-by.ts';
import type { FlatGraph, FlatNode } from './flat-graph.ts';
import type { NirPrimitive, NirTensor, Shape } from './graph.ts';
import { type Convolution, extentOf, type Pool } from './convolution.ts';

/** Shapes of a node's input and output in one time step, without a batch. */
export interface NodeShapes {
  readonly input: Shape;
  readonly output: Shape;
}

/** A larger signal fits on no device. */
const MAX_VALUE = 2 ** 28;

/**
 * The shapes of all nodes, propagated from the Inputs along the edges. Throws EngineError `shape-mismatch`
 * that names both sides of a mismatch, and `invalid-structure` for unreachable nodes.
 */
export function inferShapes(graph: FlatGraph): ReadonlyMap<string, NodeShapes> {
  const shapes = spreadShapes(graph);
  for (const name of graph.nodes.keys()) {
    if (shapes.has(name)) continue;
    throw new EngineError('invalid-structure', `NIR: no edges lead from an Input to ${name}`);
  }
  for (const [source, target] of graph.edges) {
    const [given, taken] = [shapes.get(source)?.output ?? [], shapes.get(target)?.input ?? []];
    if (isSame(given, taken)) continue;
    refuse(`${source} gives ${format(given)} but ${target} takes ${format(taken)}`);
  }
  return shapes;
}

/** The shape of every node that is reachable from an Input, by the first edge that reaches it. */
function spreadShapes({ nodes, edges }: FlatGraph): ReadonlyMap<string, NodeShapes> {
  const shapes = new Map<string, NodeShapes>();
  for (const { name, node, isInner } of nodes.values()) {
    if (node.type !== 'Input' || isInner) continue;
    shapes.set(name, { input: node.shape, output: checked(name, node.shape) });
  }
  const leaving = groupBy(edges, ([source]) => source);
  // Iteration of a Map includes entries that are added meanwhile.
  for (const [name, { output }] of shapes) {
    for (const [, target] of leaving.get(name) ?? []) {
      const found = nodes.get(target);
      if (!found || shapes.has(target)) continue;
      shapes.set(target, { input: output, output: checked(target, outputOf(found, output)) });
    }
  }
  return shapes;
}

/** Numbers of a shape. */
export function sizeOf(shape: Shape): number {
  return shape.reduce((product, axis) => product * axis, 1);
}

/** A matrix `[rows, columns]` as `[columns, rows]`. */
export function transpose(
  data: Float32Array | Float64Array,
  [rows, columns]: readonly [rows: number, columns: number],
): Float32Array {
  const result = new Float32Array(rows * columns);
  for (let i = 0; i < result.length; i++) {
    result[i] = data[(i % rows) * columns + Math.floor(i / rows)] ?? 0;
  }
  return result;
}

function format(shape: Shape): string {
  return `[${shape.join(', ')}]`;
}

/**
 * Broadcasts a tensor to `shape`: a single number, or repetition along axes of 1. Throws EngineError `shape-
 * mismatch` naming both shapes.
 */
export function spread(where: string, tensor: NirTensor, shape: Shape): Float64Array {
  const result = new Float64Array(sizeOf(shape));
  if (tensor.data.length === 1) return result.fill(tensor.data[0] ?? 0);
  const lacking = shape.length - tensor.shape.length;
  const fits = tensor.shape.every((axis, i) => axis === 1 || axis === shape[lacking + i]);
  if (lacking < 0 || !fits)
    refuse(`${where} is ${format(tensor.shape)}: expected ${format(shape)}`);
  const axes = shape.map((length, i) => ({
    length,
    repeats: (tensor.shape[i - lacking] ?? 1) === 1,
  }));
  for (let i = 0; i < result.length; i++) result[i] = tensor.data[placeOf(i, axes)] ?? 0;
  return result;
}

/** Index of the number for element `index` in a tensor that is repeated along some axes. */
function placeOf(
  index: number,
  axes: readonly { readonly length: number; readonly repeats: boolean }[],
): number {
  let [rest, place, stride] = [index, 0, 1];
  for (const { length, repeats } of axes.toReversed()) {
    if (!repeats) {
      place += (rest % length) * stride;
      stride *= length;
    }
    rest = Math.floor(rest / length);
  }
  return place;
}

function outputOf({ name, node }: FlatNode, input: Shape): Shape {
  const where = `${name} (${node.type})`;
  switch (node.type) {
    case 'Input':
    case 'Output':
      return expected(where, node.shape, input);
    case 'Affine':
    case 'Linear':
      return linearOutput(where, node, input);
    case 'Conv1d':
    case 'Conv2d':
      return convolutionOutput(where, node, input);
    case 'SumPool2d':
    case 'AvgPool2d':
      return poolOutput(where, node, input);
    case 'Flatten':
      return flattenOutput(where, node, input);
    default:
      // Neurons, scales, thresholds and delays preserve the shape; their parameters are broadcast to it.
      return input;
  }
}

function linearOutput(where: string, node: NirPrimitive<'Affine' | 'Linear'>, input: Shape): Shape {
  const { shape } = node.weight;
  const [outputs = 0, inputs = 0] = shape;
  if (shape.length !== 2) {
    refuse(`${where}: the weight is ${format(shape)}: expected [outputs, inputs]`);
  }
  expected(where, [inputs], input);
  if (node.type === 'Affine') expectBias(where, node.bias, outputs);
  return [outputs];
}

function convolutionOutput(where: string, node: Convolution, input: Shape): Shape {
  const { groups, weight } = node;
  const axes = node.type === 'Conv1d' ? 1 : 2;
  const [outputs = 0, depth = 0] = weight.shape;
  if (weight.shape.length !== axes + 2) {
    refuse(`${where}: the weight is ${format(weight.shape)}: expected ${axes + 2} axes`);
  }
  if (groups < 1 || outputs % groups !== 0) {
    refuse(`${where}: ${outputs} channels do not split into ${groups} groups`);
  }
  const [channels = 0, ...extent] = input;
  if (extent.length !== axes || channels !== depth * groups) {
    const wanted = [depth * groups, ...['height', 'width'].slice(-axes)];
    refuse(`${where} takes [${wanted.join(', ')}] but is given ${format(input)}`);
  }
  expectBias(where, node.bias, outputs);
  return [outputs, ...extentOf(where, node, input)];
}

function poolOutput(where: string, node: Pool, input: Shape): Shape {
  const [channels = 0, ...extent] = input;
  if (extent.length !== 2) {
    refuse(`${where} takes [channels, height, width] but is given ${format(input)}`);
  }
  return [channels, ...extentOf(where, node, input)];
}

function flattenOutput(where: string, node: NirPrimitive<'Flatten'>, input: Shape): Shape {
  const place = (axis: number) => (axis < 0 ? axis + input.length : axis);
  const [start, end] = [place(node.start_dim), place(node.end_dim)];
  if (start < 0 || end >= input.length || start > end) {
    refuse(`${where}: there are no axes ${node.start_dim} to ${node.end_dim} in ${format(input)}`);
  }
  return [...input.slice(0, start), sizeOf(input.slice(start, end + 1)), ...input.slice(end + 1)];
}

function expectBias(where: string, { shape }: NirTensor, outputs: number): void {
  if (!isSame(shape, [outputs]))
    refuse(`${where}: the bias is ${format(shape)}: expected [${outputs}]`);
}

function expected(where: string, taken: Shape, given: Shape): Shape {
  if (isSame(taken, given)) return given;
  refuse(`${where} takes ${format(taken)} but is given ${format(given)}`);
}

function checked(name: string, shape: Shape): Shape {
  if (sizeOf(shape) <= MAX_VALUE) return shape;
  refuse(`${name} gives ${format(shape)}: at most ${MAX_VALUE} numbers a step`);
}

function isSame(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((axis, i) => axis === b[i]);
}

function refuse(message: string): never {
  throw new EngineError('shape-mismatch', `NIR: ${message}`);
}
