import { Graph } from '../graph/graph.ts';
import { wordsPerRow } from '../graph/tensor.ts';
import type { BatchArrays, BatchSource } from '../layers/batch-source.ts';
import { featuresOf } from '../layers/layer.ts';
import type { Network } from '../layers/network.ts';
import { inputTensor } from '../layers/predict.ts';
import { emptyBatch } from '../layers/training-programs.ts';
import { type Loss, targetTensor } from '../losses/loss.ts';
import type { LabelledRows } from './neighbours.ts';
import type { InputReading } from './observations.ts';

/** Examples of a batch, and batches, at most. */
const ROWS = 64;
const BATCHES = 8;

/** The first whole batches of an epoch; none of data with no example. */
export async function firstBatches(
  source: BatchSource,
  network: Network,
  loss: Loss,
): Promise<readonly BatchArrays[]> {
  const rows = Math.min(ROWS, source.batchesPerEpoch(1) ?? ROWS);
  const { steps, output } = network;
  const graph = new Graph('form', network.layout);
  const input = inputTensor(graph, network, source, rows);
  const target = targetTensor(graph, loss, { steps, width: featuresOf(output), rows });
  await source.begin(0, 0, rows);
  const batches: BatchArrays[] = [];
  if (rows === 0) return batches;
  while (batches.length < BATCHES) {
    const batch = emptyBatch({ input, target, rows });
    if ((await source.take(batch)) < rows) break;
    batches.push(batch);
  }
  return batches;
}

/** Mean and deviation of all numbers of some batches. */
export function readInputs(batches: readonly BatchArrays[]): InputReading {
  let [sum, squares, count] = [0, 0, 0];
  for (const { inputs } of batches) {
    for (const value of inputs) {
      sum += value;
      squares += value * value;
    }
    count += inputs.length;
  }
  const mean = sum / count;
  return { mean, deviation: Math.sqrt(Math.max(0, squares / count - mean ** 2)) };
}

/** Batches as one row for each example, the mean over its time steps, with its class. */
export function labelledRows(
  batches: readonly BatchArrays[],
  { frames, dtype }: BatchSource,
  { input }: Network,
): LabelledRows {
  const width = featuresOf(input);
  const count = batches.reduce((sum, { rows }) => sum + rows, 0);
  const all = new Float32Array(count * width);
  const classes = new Uint32Array(count);
  const read = dtype === 'bits' ? bitOf : numberOf;
  let first = 0;
  for (const { inputs, targets, rows } of batches) {
    classes.set(targets, first);
    for (let at = 0; at < frames * rows * width; at++) {
      const [column, row] = [at % width, Math.floor(at / width) % rows];
      const to = (first + row) * width + column;
      all[to] = (all[to] ?? 0) + read(inputs, Math.floor(at / width), column, width) / frames;
    }
    first += rows;
  }
  return { rows: all, width, classes };
}

type Words = Float32Array | Uint32Array;

const numberOf = (inputs: Words, row: number, column: number, width: number) =>
  inputs[row * width + column] ?? 0;

const bitOf = (inputs: Words, row: number, column: number, width: number) =>
  ((inputs[row * wordsPerRow(width) + (column >>> 5)] ?? 0) >>> (column & 31)) & 1;
