import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findCheckpoint, readCheckpoint } from '../../compute/checkpoints/checkpoint-folder.ts';
import { readNirFile } from '../../compute/nir/nir-file.ts';
import { openReferenceBackend } from '../../engine/backends/reference/reference-backend.ts';
import { modelOf, unpackModel } from '../../engine/checkpoint/checkpoint.ts';
import { decodeSafetensors, encodeSafetensors } from '../../engine/checkpoint/safetensors.ts';
import { type Classifier, traceEvaluation } from '../../engine/models/classifier.ts';
import { spikingAudio } from '../../engine/models/spiking-audio/classifier.ts';
import { audioStructureFromSpec } from '../../engine/models/spiking-audio/spec.ts';
import { visionStructureFromSpec } from '../../engine/models/spiking-vision/spec.ts';
import { visionClassifier } from '../../engine/models/spiking-vision/structure.ts';
import { halvedPictures } from './class-models.ts';
import {
  ONE_THREAD,
  refusalOf,
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

/** What a stored classifier itself says to inputs `[frames][inputs]`: the scores of its classes. */
async function ownScores(run: string, inputs: Float32Array): Promise<number[]> {
  const stored = unpackModel(await readCheckpoint(await findCheckpoint(at(run))));
  const isVision = stored.spec.architecture === 'spiking_vision';
  const classifier: Classifier<unknown> = isVision
    ? visionClassifier(visionStructureFromSpec(modelOf(stored, 'spiking_vision').spec))
    : spikingAudio(audioStructureFromSpec(modelOf(stored, 'spiking_audio').spec));
  const backend = openReferenceBackend();
  const evaluate = traceEvaluation(classifier, 1);
  const player = await backend.load(classifier.layout, [evaluate.program]);
  player.write(classifier.layout.values, stored.values);
  player.write(evaluate.inputs, inputs);
  player.play(evaluate.program);
  const scores = await player.read(evaluate.scores);
  player.close();
  return [...scores];
}

/** What the exported file says by the command: the mean of an Output over the steps. */
async function exportedScores(name: string, output: string, input: Float32Array, steps: number) {
  const { graph } = await readNirFile(at(`${name}.nir`));
  const node = graph.nodes.get('input')!;
  const shape = 'shape' in node ? [...node.shape] : [];
  const size = shape.reduce((product, axis) => product * axis, 1);
  const lead = input.length === size ? [1] : [steps, 1];
  const tensor = { dtype: 'F32', shape: [...lead, ...shape], data: input } as const;
  const bytes = encodeSafetensors({ tensors: new Map([['input', tensor]]), metadata: {} });
  writeFileSync(at('input.safetensors'), bytes);
  const { code, stderr } = await runSpikegrid(
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
    const exported = await runSpikegrid('nir', 'export', at(variant), at(`${variant}.nir`));
    const pixels = Float32Array.from({ length: 36 }, (_, i) => ((i * 7) % 36) / 36);

    expect(exported.stdout, exported.stderr).toMatch(/ --dt 0.0001 --reset delayed --steps 5\n/);
    expect(exported.stdout).toMatch(/input: pixels from 0 to 1/);
    const scores = await exportedScores(variant, output, pixels, 5);
    expectClose(scores, await ownScores(variant, pixels));
  });

  it('gives the scores of a spiking_audio, whose neurons hear each other', async () => {
    const size = ['--mfcc-features', '8', '--mfcc-seq-len', '6', '--output-neurons', '2'];
    const data = ['--dataset', folder.path, '--architecture', 'spiking_audio', '--synthetic'];
    await train('audio', ...data, ...size, '--time-steps', '2', '--learning-rate', '0.02');
    const run = await findCheckpoint(at('audio'));
    const model = join(run, 'model.safetensors');
    const exported = await runSpikegrid('nir', 'export', model, at('audio.nir'));
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
