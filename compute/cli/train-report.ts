import {
  type Observation,
  overallActivity,
  type RunData,
  type TrainingRun,
  unpackSpikes,
  type Validation,
} from '../../engine/index.ts';
import { findLastCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { fileDigests } from '../runs/fit-report.ts';
import type { MetricLine } from '../runs/metrics-file.ts';
import { rateCurveOf } from '../runs/rate-test-files.ts';
import { writeReport } from '../runs/report.ts';
import { CONFIG } from '../runs/run-files.ts';
import type { TrainConfig } from './train-config.ts';
import { verdictLines } from './train-outcome.ts';

interface Trained {
  readonly run: TrainingRun;
  readonly data: RunData;
  readonly config: TrainConfig;
  readonly lines: readonly MetricLine[];
  readonly validation: Validation | undefined;
  readonly sample: string | undefined;
}

/** Layers whose spikes the report shows. */
const MAX_LAYERS = 3;

/** Writes the report of a run of `train` into its folder. */
export async function writeTrainReport(folder: string, trained: Trained): Promise<void> {
  const { run, data, config, lines, validation, sample } = trained;
  const { layers = [], confusion } = validation ?? {};
  const activity = overallActivity(layers);
  const checkpoint = await findLastCheckpoint(folder);
  const isEnded = run.progress() >= 1;
  // A run that was stopped or failed does not wait for them.
  const floors = await (isEnded ? run.floors() : Promise.race([run.floors(), undefined]));
  const verdict = isEnded && validation && (await run.verdict(validation));
  await writeReport(folder, {
    config,
    lines,
    sample,
    floors,
    verdict: verdict ? verdictLines(verdict) : undefined,
    rateCurve: await rateCurveOf(folder),
    rates: Object.fromEntries(layers.map(({ name, rate }) => [name, rate])),
    observation: await observationOf(run, data),
    ...(confusion && { confusion }),
    digests: {
      [data.name]: data.digest,
      ...(await fileDigests(folder, [CONFIG])),
      ...(await fileDigests(checkpoint, ['model.safetensors', 'tokenizer.json'])),
    },
    facts: {
      'steps done': String(run.step()),
      device: run.device.label,
      parameters: String(run.layout.count),
      data: `${data.name}: ${data.length} tokens or examples`,
      ...(activity && { 'neurons that never fired': `${(100 * activity.dead).toFixed(1)} %` }),
    },
  });
}

/** Layers while the model reads the tokens of its vocabulary in their order; undefined of families without an observer. */
async function observationOf(
  { observer }: TrainingRun,
  data: RunData,
): Promise<Observation | undefined> {
  if (!observer) return undefined;
  const { vocabulary = 1 } = data.shape;
  const ids = Uint32Array.from({ length: observer.sequence }, (_, i) => i % vocabulary);
  const layers: Observation['layers'][number][] = [];
  let steps = 0;
  for (const name of observer.layers.slice(0, MAX_LAYERS)) {
    const { neurons, times, spikes: packed } = await observer.observe(ids, name);
    const spikes = Uint8Array.from(unpackSpikes(packed, neurons));
    steps = times;
    layers.push({ name, shape: [neurons], spikes, rates: ratesOf(spikes, neurons) });
  }
  return { steps, count: 1, layers };
}

function ratesOf(spikes: Uint8Array, neurons: number): Float32Array {
  const rates = new Float32Array(neurons);
  for (const [at, spike] of spikes.entries()) {
    rates[at % neurons] = (rates[at % neurons] ?? 0) + (spike * neurons) / spikes.length;
  }
  return rates;
}
