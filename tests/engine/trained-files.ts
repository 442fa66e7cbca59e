import type { Backend } from '../../engine/graph/backend.ts';
import type { DataFiles } from '../../engine/data/files/data-files.ts';
import { loadFamily } from '../../engine/models/load-family.ts';
import type { KnownSettings as RunSettings } from '../../engine/models/choices.ts';
import { stableBaseline } from '../../engine/settings/controls.ts';

/** A small model of any family that has learned a little, as it lies in a checkpoint. */
export async function trainedFiles(
  backend: Backend,
  data: DataFiles,
  settings: Pick<RunSettings, 'architecture' | 'fields'> & { readonly steps: number },
) {
  const { architecture, fields, steps } = settings;
  const family = await loadFamily(architecture);
  const run: RunSettings = {
    ...{ architecture, fields, batch: 8, learningRate: 0.01, seed: 1 },
    budget: { kind: 'steps', steps },
  };
  const opened = await family.openData(data, run);
  const options = { backend, settings: run, controls: stableBaseline };
  const training = await family.createRun(options, opened);
  await training.advance(steps);
  const { loss, figures, confusion } = await training.validate();
  const files = await training.checkpoint();
  training.close();
  await opened.close?.();
  return { files, loss, figures, confusion };
}
