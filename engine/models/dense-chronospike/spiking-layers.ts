import type { SpikingLayer } from '../language/reading-program.ts';
import type { ChronospikeStructure } from './structure.ts';

/**
 * The layers in the order in which they fire. A spike adds a row of weights to the currents of the next
 * layer. Those of queries, keys and values meet in the attention of their head: each adds, or is added
 * to, at most a row of the head's state, and is counted as a whole one.
 */
export function spikingLayers({ width, heads, blocks }: ChronospikeStructure): SpikingLayer[] {
  return Array.from({ length: blocks }, (_, block) => [
    { name: `blocks.${block}.in1`, neurons: width, fanOut: 3 * width },
    { name: `blocks.${block}.qkv`, neurons: 3 * width, fanOut: width / heads },
    { name: `blocks.${block}.attention`, neurons: width, fanOut: width },
    { name: `blocks.${block}.in2`, neurons: width, fanOut: 4 * width },
    { name: `blocks.${block}.up`, neurons: 4 * width, fanOut: width },
  ]).flat();
}
