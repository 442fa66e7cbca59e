import type { Player } from '../graph/backend.ts';
import { packCheckpoint, type StoredTraining } from '../checkpoint/checkpoint.ts';
import type { CheckpointFiles } from '../checkpoint/files.ts';
import { readBuffers } from './parameter-blocks.ts';
import type { RunWeights } from './averaging.ts';
import type { RunOptions } from './run.ts';
import type { RunParts } from './run-parts.ts';

interface SnapshotSource {
  readonly options: RunOptions;
  readonly parts: RunParts;
  readonly player: Player;
  readonly weights: RunWeights;
  readonly step: number;
  readonly seconds: number;
  readonly lastLoss: number | null;
  readonly position: { readonly epoch: number; readonly step_in_epoch: number };
}

/** Reads a run off the device as checkpoint files; restoring them continues bit by bit as before. */
export async function snapshot(source: SnapshotSource): Promise<CheckpointFiles> {
  const { options, parts, player, weights, step, seconds, lastLoss, position } = source;
  const { settings } = options;
  const { layout } = parts;
  // The blocks are always f32.
  const read = async (name: 'values' | 'momentum' | 'variance') =>
    (await player.read(layout[name])) as Float32Array;
  weights.learn();
  const [spec, values, momentum, variance, average, buffers, trainingBuffers] = await Promise.all([
    parts.describe ? parts.describe(player) : parts.spec,
    read('values'),
    read('momentum'),
    read('variance'),
    weights.read(),
    readBuffers(player, parts.buffers),
    readBuffers(player, parts.trainingBuffers),
  ]);
  return packCheckpoint(
    {
      spec,
      // A family gives a tokenizer where its spec names one.
      tokenizer: parts.tokenizer as StoredTraining['tokenizer'],
      layout,
      values,
      momentum,
      variance,
      average,
      buffers: new Map([...buffers, ...(parts.constants ?? [])]),
      trainingBuffers,
      execution: {
        ...parts.execution,
        ...(parts.privacy && { privacy: parts.privacy(step) }),
      },
      state: {
        step,
        seconds,
        random: { generator: 'philox4x32-10', seed: settings.seed, step },
        data: { ...parts.data, position },
        last_loss: lastLoss,
      },
    },
    parts.form,
  );
}
