import type { Player } from '../backends/backend.ts';
import { packCheckpoint } from '../checkpoint/checkpoint.ts';
import type { CheckpointFiles } from '../checkpoint/files.ts';
import { modelSpecOf } from '../checkpoint/model-spec.ts';
import { textRecordOf } from '../checkpoint/text-record.ts';
import { tokenizerSpecOf } from '../checkpoint/tokenizer-bundle.ts';
import { executionOf } from '../checkpoint/training-state.ts';
import type { Corpus } from '../data/corpus.ts';
import type { ParameterLayout } from '../graph/parameters.ts';
import type { ChronospikeStructure } from '../models/dense-chronospike/structure.ts';
import type { ProfileName } from './profiles.ts';
import type { TrainingControls, TrainingSettings } from './settings.ts';

export interface SnapshotSource {
  readonly player: Player;
  readonly layout: ParameterLayout;
  readonly structure: ChronospikeStructure;
  readonly corpus: Corpus;
  readonly settings: TrainingSettings;
  readonly controls: TrainingControls;
  readonly profile: ProfileName | undefined;
  readonly step: number;
  readonly seconds: number;
  readonly lastLoss: number | null;
  readonly position: { readonly epoch: number; readonly step_in_epoch: number };
}

/** Reads a run off the device as checkpoint files; restoring them goes on bit by bit as before. */
export async function snapshot(source: SnapshotSource): Promise<CheckpointFiles> {
  const { player, layout, structure, corpus, settings, controls, step, seconds } = source;
  // The blocks are always f32.
  const read = async (name: 'values' | 'momentum' | 'variance') =>
    (await player.read(layout[name])) as Float32Array;
  const [values, momentum, variance] = await Promise.all([
    read('values'),
    read('momentum'),
    read('variance'),
  ]);
  return packCheckpoint({
    spec: modelSpecOf(structure, settings.sequence, tokenizerSpecOf(corpus.tokenizer)),
    tokenizer: corpus.tokenizer,
    layout,
    values,
    momentum,
    variance,
    execution: executionOf(settings, controls, source.profile),
    state: {
      step,
      seconds,
      random: { generator: 'philox4x32-10', seed: settings.seed, step },
      data: {
        name: corpus.name,
        sha256: corpus.digest,
        characters: corpus.characters,
        tokens: corpus.length,
        text: textRecordOf(corpus.preparation),
        position: source.position,
      },
      last_loss: source.lastLoss,
    },
  });
}
