import { describe, expect, it } from 'vitest';
import { createAllocator, placeTensors } from '../../engine/backends/wasm/memory.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import { traceGeneration } from '../../engine/models/dense-chronospike/reading-programs.ts';
import {
  chronospikeParameters,
  defaultNeuron,
  geometricTau,
} from '../../engine/models/dense-chronospike/structure.ts';

describe('memory for WASM', () => {
  it('has no room for gradients and moments where a model is only read', () => {
    const structure = {
      ...{ vocabulary: 32, width: 256, heads: 4, blocks: 2, steps: 4 },
      ...{ tau: geometricTau(4, 256), ...defaultNeuron },
    };
    const layout = layOutParameters(chronospikeParameters(structure));
    const { program } = traceGeneration(layout, structure);
    const allocator = createAllocator();

    const addresses = placeTensors(allocator, layout, [program]);

    expect(allocator.end).toBeLessThan(1.5 * layout.blockBytes);
    expect(() => addresses.of(layout.momentum)).toThrow('no loaded program holds momentum');
  });
});
