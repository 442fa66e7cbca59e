import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, Player } from '../../engine/graph/backend.ts';
import { decodeSafetensors, type SafetensorsFile } from '../../engine/checkpoint/safetensors.ts';
import { layOutParameters } from '../../engine/graph/parameters.ts';
import {
  type GradientProgram,
  traceGradients,
} from '../../engine/models/dense-chronospike/programs.ts';
import {
  chronospikeParameters,
  type ChronospikeStructure,
  geometricTau,
} from '../../engine/models/dense-chronospike/structure.ts';
import { packClock } from '../../engine/ops/step-inputs.ts';
import { extent } from './extent.ts';
import { reference, variants } from './play.ts';

import './matchers.ts';

// Written by the PyTorch reference of the family (float32). Its seeds keep every membrane 2e-4 away
// from the threshold, so rounding cannot flip a spike.
const files = extent(['chronospike-tiny', 'chronospike-odd'], ['chronospike-odd']);
const backends: Record<string, () => Promise<Backend>> = {
  reference: async () => reference,
  ...variants,
};
/** The kernels of the other tiles are compared one by one; compiling a model of them takes seconds. */
const tested = extent(
  Object.keys(backends),
  Object.keys(backends).filter((name) => !/workgroup|subgroups/.test(name)),
);

describe.each(tested)('dense_chronospike on %s', (name) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await backends[name]!();
  });
  afterAll(() => backend.close());

  describe.each(files)('%s', (file) => {
    const golden = loadGolden(file);
    let player: Player;
    let traced: GradientProgram;
    const layout = layOutParameters(chronospikeParameters(golden.structure));
    beforeAll(async () => {
      traced = traceGradients(layout, golden.structure, golden.shape);
      player = await backend.load(layout, [traced.program]);
      for (const { spec, value } of layout.parameters)
        player.write(value, golden.parameter(spec.name));
      player.write(traced.ids, golden.integers('ids'));
      player.write(traced.targets, golden.integers('targets'));
      player.write(traced.clock, packClock({ step: 0, slot: 0, seed: [0, 0] }));
      player.play(traced.program);
    });

    it('has the loss of PyTorch within 1e-5', async () => {
      const [loss] = await player.read(traced.losses);
      expect(Math.abs(loss! - golden.floats('loss')[0]!)).toBeLessThan(1e-5);
    });

    it('has the logits of PyTorch', async () => {
      expect(await player.read(traced.logits)).toMatchNumbers(golden.floats('logits'), 1e-5);
    });

    it('has every gradient of PyTorch within 1e-4 of its largest element', async () => {
      expect(layout.count).toBe(golden.count);
      for (const { spec, gradient } of layout.parameters) {
        const actual = await player.read(gradient);
        const expected = golden.gradient(spec.name);
        const scale = expected.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
        const worst = expected.reduce((w, e, i) => Math.max(w, Math.abs(e - actual[i]!)), 0);
        expect(worst / scale, spec.name).toBeLessThan(1e-4);
      }
    });
  });
});

function loadGolden(file: string) {
  const path = new URL(`../golden/${file}.safetensors`, import.meta.url);
  const { tensors, metadata }: SafetensorsFile = decodeSafetensors(readFileSync(path), file);
  const number = (key: string) => Number(metadata[key]);
  const heads = number('heads');
  const sequence = number('seq');
  const structure: ChronospikeStructure = {
    vocabulary: number('vocab'),
    width: number('d_model'),
    heads,
    blocks: number('blocks'),
    steps: number('time_steps'),
    tau: geometricTau(heads, sequence),
    neuron: 'LIF',
    beta: number('beta'),
    threshold: number('theta'),
    surrogate: 'atan',
  };
  const floats = (key: string) => tensors.get(key)!.data as Float32Array;
  const parameters = [...tensors.keys()].filter((key) => key.startsWith('param.'));
  return {
    structure,
    shape: { batch: number('batch'), sequence },
    count: parameters.reduce((sum, key) => sum + floats(key).length, 0),
    floats,
    integers: (key: string) => Uint32Array.from(tensors.get(key)!.data),
    parameter: (name: string) => ours(floats(`param.${torchName(name)}`), tensors, name),
    gradient: (name: string) => ours(floats(`grad.${torchName(name)}`), tensors, name),
  };
}

function torchName(name: string): string {
  if (name === 'readout_direct_logit_mix') return 'mix';
  return name === 'norm.weight' ? 'norm' : name;
}

/** PyTorch stores a linear's weight as [outputs, inputs]; ours is [inputs, outputs]. */
function ours(data: Float32Array, tensors: SafetensorsFile['tensors'], name: string): Float32Array {
  const { shape } = tensors.get(`param.${torchName(name)}`)!;
  if (shape.length !== 2 || name === 'embed.weight') return data;
  const [outputs, inputs] = shape as [number, number];
  return Float32Array.from(data, (_, i) => data[(i % outputs) * inputs + Math.floor(i / outputs)]!);
}
