import {
  overallActivity,
  type RunData,
  type TrainingRun,
  type Validation,
} from '../../engine/index.ts';
import { findLastCheckpoint } from '../checkpoints/checkpoint-folder.ts';
import { fileDigests } from '../runs/fit-report.ts';
import type { MetricLine } from '../runs/metrics-file.ts';
import type { SpikeRaster } from '../runs/raster.ts';
import { writeReport } from '../runs/report.ts';
import { CONFIG } from '../runs/run-files.ts';
import type { TrainConfig } from './train-config.ts';

interface Trained {
  readonly run: TrainingRun;
  readonly data: RunData;
  readonly config: TrainConfig;
  readonly lines: readonly MetricLine[];
  readonly validation: Validation | undefined;
  readonly sample: string | undefined;
}

/** Layers whose spikes the report shows. */
const MAX_RASTERS = 3;

/** Writes the report of a run of `train` into its folder. */
export async function writeTrainReport(folder: string, trained: Trained): Promise<void> {
  const { run, data, config, lines, validation, sample } = trained;
  const { layers = [], confusion } = validation ?? {};
  const activity = overallActivity(layers);
  const checkpoint = await findLastCheckpoint(folder);
  await writeReport(folder, {
    config,
    lines,
    sample,
    rates: Object.fromEntries(layers.map(({ name, rate }) => [name, rate])),
    rasters: await rastersOf(run, data),
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

/** Spikes of layers while the model reads the tokens of its vocabulary in their order; none of families without an observer. */
async function rastersOf({ observer }: TrainingRun, data: RunData): Promise<SpikeRaster[]> {
  if (!observer) return [];
  const { vocabulary = 1 } = data.shape;
  const ids = Uint32Array.from({ length: observer.sequence }, (_, i) => i % vocabulary);
  const rasters: SpikeRaster[] = [];
  for (const layer of observer.layers.slice(0, MAX_RASTERS)) {
    const { neurons, times, spikes } = await observer.observe(ids, layer);
    const words = Math.ceil(neurons / 32);
    rasters.push({
      name: layer,
      steps: times,
      neurons,
      fires: (time, neuron) =>
        (((spikes[time * words + (neuron >> 5)] ?? 0) >>> (neuron & 31)) & 1) === 1,
    });
  }
  return rasters;
}
