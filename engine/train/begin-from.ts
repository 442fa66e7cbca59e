import type { ModelSpec, StoredModel, StoredTraining } from '../checkpoint/checkpoint.ts';
import type { RunData } from '../checkpoint/run-data.ts';

/** The initial state of a run that continues a model: its parameters, with new moments and new data. */
export function beginFrom<Spec extends ModelSpec>(
  stored: StoredModel<Spec>,
  data: RunData,
  seed: number,
): StoredTraining<Spec> {
  const { values } = stored;
  const { name, digest, length, text } = data;
  return {
    ...stored,
    momentum: new Float32Array(values.length),
    variance: new Float32Array(values.length),
    state: {
      step: 0,
      seconds: 0,
      random: { generator: 'philox4x32-10', seed, step: 0 },
      data: {
        name,
        sha256: digest,
        ...(text ? { characters: length, text } : { examples: length }),
        position: { epoch: 0, step_in_epoch: 0 },
      },
      last_loss: null,
    },
  };
}
