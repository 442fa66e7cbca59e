import { EngineError } from '../errors.ts';
import type { OpenEvaluation } from '../evaluation/evaluator.ts';
import type { Architecture } from './architectures.ts';

/** How the models of each family are judged, loaded when it is first asked for. */
const loaders: Readonly<Partial<Record<Architecture, () => Promise<OpenEvaluation>>>> = {
  dense_chronospike: async () => {
    const { openChronospikeEvaluation } = await import('../models/dense-chronospike/evaluation.ts');
    return openChronospikeEvaluation;
  },
  spiking_multimodal: async () => {
    const { openMultimodalEvaluation } = await import('../models/spiking-multimodal/evaluation.ts');
    return openMultimodalEvaluation;
  },
  memoried_spikenetlm: async () => {
    const { openMemoriedEvaluation } = await import('../models/memoried-spikenet/evaluation.ts');
    return openMemoriedEvaluation;
  },
};

/** Throws EngineError `checkpoint-mismatch` for a family that cannot be judged yet, naming it. */
export async function loadEvaluation(architecture: Architecture): Promise<OpenEvaluation> {
  const load = loaders[architecture];
  if (load) return load();
  const known = Object.keys(loaders).join(', ');
  throw new EngineError(
    'checkpoint-mismatch',
    `${architecture} models cannot be evaluated: expected one of ${known}`,
  );
}
