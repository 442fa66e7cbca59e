import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findCheckpoint, readCheckpoint } from '../../compute/checkpoints/checkpoint-folder.ts';
import { readNirFile } from '../../compute/nir/nir-file.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { modelOf, unpackModel } from '../../engine/models/stored-model.ts';
import { decodeSafetensors, encodeSafetensors } from '../../engine/checkpoint/safetensors.ts';
import { type Classifier, traceScoring } from '../../engine/models/classification/classifier.ts';
import { spikingAudio } from '../../engine/models/spiking-audio/classifier.ts';
import { audioStructureFromSpec } from '../../engine/models/spiking-audio/family.ts';
import { visionStructureFromSpec } from '../../engine/models/spiking-vision/family.ts';
import { visionClassifier } from '../../engine/models/spiking-vision/classifier.ts';
import { halvedPictures } from './class-models.ts';
import {
  ONE_THREAD,
  refusalOf,
  runHere,
  runSpikegrid,
  temporaryFolder,
  writeNovel,
} from './spikegrid-process.ts';

const folder = temporaryFolder();
const at = (name: string) => join(folder.path, name);
const pictures = at('pictures');
mkdirSync(pictures);
for (const [name, bytes] of halvedPictures(32, 8)) writeFileSync(join(pictures, name), bytes);
const novel = writeNovel(folder.path, 1);
afterAll(() => folder.remove());

async function train(run: string, ...args: string[]): Promise<void> {
  const output = ['--output', at(run), '--steps', '12', '--batch-size', '8', ...ONE_THREAD];
  const { code, stderr } = await runSpikegrid('train', ...output, ...args);
  expect(code, stderr).toBe(0);
}

/** The class scores of a stored classifier for inputs `[frames][inputs]`. */
async function ownScores(run: string, inputs: Float32Array): Promise<number[]> {
  const stored = unpackModel(await readCheckpoint(await findCheckpoint(at(run))));
  const isVision = stored.spec.architecture === 'spiking_vision';
  const classifier: Classifier<unknown> = isVision
    ? visionClassifier(visionStructureFromSpec(modelOf(stored, 'spiking_vision').spec))
    : spikingAudio(audioStructureFromSpec(modelOf(stored, 'spiking_audio').spec));
  const backend = openReferenceBackend();
  const evaluate = traceScoring(classifier, 1);
  const player = await backend.load(classifier.layout, [evaluate.program]);
  player.write(classifier.layout.values, stored.values);
  player.write(evaluate.inputs, inputs);
  player.play(evaluate.program);
  const scores = await player.read(evaluate.scores);
  player.close();
  return [...scores];
}

/** The scores of the exported file, run by the command: the mean of an Output over the steps. */
async function exportedScores(name: string, output: string, input: Float32Array, steps: number) {
  const { graph } = await readNirFile(at(`${name}.nir`));
  const node = graph.nodes.get('input')!;
  const shape = 'shape' in node ? [...node.shape] : [];
  const size = shape.reduce((product, axis) => product * axis, 1);
  const lead = input.length === size ? [1] : [steps, 1];
  const tensor = { dtype: 'F32', shape: [...lead, ...shape], data: input } as const;
  const bytes = encodeSafetensors({ tensors: new Map([['input', tensor]]), metadata: {} });
  writeFileSync(at('input.safetensors'), bytes);
  const { code, stderr } = await runHere(
    ...['nir', 'run', at(`${name}.nir`), '--input', at('input.safetensors')],
    ...['--steps', String(steps), '--reset', 'delayed', '--device', 'reference'],
    ...['--output', at('signals.safetensors')],
  );
  expect(code, stderr).toBe(0);
  const { tensors } = decodeSafetensors(readFileSync(at('signals.safetensors')), 'signals');
  const { data, shape: given } = tensors.get(output)!;
  const classes = given.at(-1)!;
  const signal = Array.from(data as Float32Array);
  return Array.from(
    { length: classes },
    (_, n) => signal.filter((_value, i) => i % classes === n).reduce((a, b) => a + b, 0) / steps,
  );
}

function expectClose(scores: readonly number[], own: readonly number[]): void {
  expect(scores).toHaveLength(own.length);
  expect(new Set(own.map((score) => score.toFixed(4))).size).toBe(own.length);
  for (const [i, score] of scores.entries()) expect(score).toBeCloseTo(own[i]!, 5);
}

describe('nir export of a run', () => {
  it.each([
    ['mlp', 'membrane'],
    ['conv_plain', 'output'],
  ])('gives the scores of a spiking_vision %s', async (variant, output) => {
    const data = ['--dataset', pictures, '--architecture', 'spiking_vision'];
    const size = ['--output-dim', '2', '--time-steps', '5', '--learning-rate', '0.01'];
    await train(variant, ...data, '--model-variant', variant, ...size);
    const exported = await runHere('nir', 'export', at(variant), at(`${variant}.nir`));
    const pixels = Float32Array.from({ length: 36 }, (_, i) => ((i * 7) % 36) / 36);

    expect(exported.stdout, exported.stderr).toMatch(/ --dt 0.0001 --reset delayed --steps 5\n/);
    expect(exported.stdout).toMatch(/input: pixels from 0 to 1/);
    const scores = await exportedScores(variant, output, pixels, 5);
    expectClose(scores, await ownScores(variant, pixels));
  });

  it('gives the scores of a spiking_audio, whose neurons are recurrent', async () => {
    const size = ['--mfcc-features', '8', '--mfcc-seq-len', '6', '--output-neurons', '2'];
    const data = ['--dataset', folder.path, '--architecture', 'spiking_audio', '--synthetic'];
    await train('audio', ...data, ...size, '--time-steps', '2', '--learning-rate', '0.02');
    const run = await findCheckpoint(at('audio'));
    const model = join(run, 'model.safetensors');
    const exported = await runHere('nir', 'export', model, at('audio.nir'));
    const { spec } = modelOf(unpackModel(await readCheckpoint(run)), 'spiking_audio');
    const { features } = audioStructureFromSpec(spec);
    const frames = Float32Array.from({ length: 6 * features }, (_, i) => Math.sin(i) * 2);
    const held = Float32Array.from({ length: 12 * features }, (_, i) => {
      const step = Math.floor(i / features);
      return frames[Math.floor(step / 2) * features + (i % features)]!;
    });

    expect(exported.stdout, exported.stderr).toMatch(/--reset delayed --steps 12\n/);
    const scores = await exportedScores('audio', 'output', held, 12);
    expectClose(scores, await ownScores('audio', frames));
  });

  it('names the operation that NIR has no node for', async () => {
    const data = ['--dataset', pictures, '--architecture', 'spiking_vision', '--output-dim', '2'];
    await train('conv', ...data, '--model-variant', 'conv');
    await train('text', '--dataset', novel, '--d-model', '8', '--seq-len', '8');
    const refusals: string[] = [];
    for (const run of ['conv', 'text']) {
      refusals.push((await refusalOf('nir', 'export', at(run), at('none.nir'))).stderr);
    }
    const missing = await refusalOf('nir', 'export', at('nowhere'), at('none.nir'));

    expect(refusals).toEqual([
      expect.stringMatching(/NIR has no node for layer norm, which model_variant conv_plain does/),
      expect.stringMatching(/NIR has no node for causal attention .* dense_chronospike cannot be/),
    ]);
    expect(missing.stderr).toMatch(/nowhere does not exist/);
  });
});

describe('nir export of a network of the simulator', () => {
  const spikesOf = async (steps: number, description: object): Promise<string[]> => {
    writeFileSync(at('network.json'), JSON.stringify(description));
    const run = ['--steps', String(steps), '--spikes', at('spikes.csv'), ...ONE_THREAD];
    const { code, stderr } = await runSpikegrid('simulate', at('network.json'), ...run);
    expect(code, stderr).toBe(0);
    return readFileSync(at('spikes.csv'), 'utf8').trimEnd().split('\n').slice(1);
  };
  // Weights are multiples of 1/64, which the fixed point of the simulator holds exactly.
  const network = (model: 'lif' | 'lif_reset') => ({
    seed: 5,
    dt: 0.5,
    populations: [
      {
        name: 'in put',
        count: 6,
        model: 'replay',
        spikes: Array.from({ length: 90 }, (_, i) => [Math.floor(i / 2), (i * 5) % 6]),
      },
      { name: 'a', count: 8, model, parameters: { tau: { uniform: [5, 20] }, threshold: 1 } },
      { name: 'b', count: 5, model, parameters: { tau: 8 } },
    ],
    projections: [
      {
        ...{ from: 'in put', to: 'a', connect: { kind: 'probability', p: 0.6 } },
        ...{ weight: 0.421875, delay: { uniform: [0.5, 3] } },
      },
      { from: 'a', to: 'b', connect: { kind: 'all' }, weight: 0.296875, delay: 1 },
      { from: 'b', to: 'a', connect: { kind: 'inDegree', k: 3 }, weight: -0.109375, delay: 1.5 },
      { from: 'b', to: 'b', connect: { kind: 'all', self: false }, weight: 0.0625 },
    ],
  });

  it.each([
    ['lif', 'delayed'],
    ['lif_reset', 'value'],
  ] as const)('fires the same spikes as %s in the simulator', async (model, reset) => {
    const steps = 60;
    const description = network(model);
    const spikes = await spikesOf(steps, description);
    const file = `${model}.nir`;
    const exported = await runHere('nir', 'export', at('network.json'), at(file));
    const data = new Float32Array(steps * 6);
    for (const [step, neuron] of description.populations[0]!.spikes!) data[step! * 6 + neuron!] = 1;
    const tensor = { dtype: 'F32', shape: [steps, 1, 6], data } as const;
    const bytes = encodeSafetensors({ tensors: new Map([['in_put', tensor]]), metadata: {} });
    writeFileSync(at('train.safetensors'), bytes);
    const ran = await runSpikegrid(
      ...['nir', 'run', at(file), '--input', at('train.safetensors'), '--steps', String(steps)],
      ...['--dt', '0.5', '--reset', reset, '--output', at('out.safetensors'), ...ONE_THREAD],
    );

    expect(exported.stdout, exported.stderr).toContain(`--dt 0.5 --reset ${reset} --steps`);
    expect(ran.code, ran.stderr).toBe(0);
    const { tensors } = decodeSafetensors(readFileSync(at('out.safetensors')), 'out');
    const fired = ['a', 'b'].flatMap((name) => {
      const { data: signal, shape } = tensors.get(`${name}_spikes`)!;
      const width = shape.at(-1)!;
      return Array.from(signal as Float32Array).flatMap((spike, i) =>
        spike === 1 ? [`${Math.floor(i / width) * 0.5},${name},${i % width}`] : [],
      );
    });
    const own = spikes.filter((line) => !line.includes('in put'));
    expect(own.length).toBeGreaterThan(20);
    expect(fired.toSorted()).toEqual(own.toSorted());
  });

  it('names what NIR cannot hold', async () => {
    const [first, ...others] = network('lif').populations;
    const cases = [
      [{ name: 'a', count: 8, model: 'izhikevich' }, /neurons of the model izhikevich \(a\)/],
      [{ name: 'a', count: 8, model: 'lif', parameters: { refractory: 2 } }, /a refractory time/],
      [{ name: 'a', count: 8, model: 'lif', initial: { v: 0.5 } }, /first states other than 0/],
    ] as const;
    for (const [population, message] of cases) {
      const populations = [first, population, others[1]];
      writeFileSync(at('odd.json'), JSON.stringify({ ...network('lif'), populations }));
      const { stderr } = await refusalOf('nir', 'export', at('odd.json'), at('none.nir'));
      expect(stderr).toMatch(message);
    }
  });
});
