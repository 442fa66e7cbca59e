import type { OpenEvaluation } from '../evaluation/evaluator.ts';
import type { Architecture } from './architectures.ts';

/** How the models of each family are judged, loaded when it is first asked for. */
const loaders: Readonly<Record<Architecture, () => Promise<OpenEvaluation>>> = {
  dense_chronospike: async () => {
    const { openChronospikeEvaluation } = await import('../models/dense-chronospike/evaluation.ts');
    return openChronospikeEvaluation;
  },
  sparse_event_memory: async () => {
    const { openSparseEvaluation } = await import('../models/sparse-event-memory/evaluation.ts');
    return openSparseEvaluation;
  },
  standard_transformer: async () => {
    const { openTransformerEvaluation } =
      await import('../models/standard-transformer/evaluation.ts');
    return openTransformerEvaluation;
  },
  spiking_vision: async () => {
    const { openVisionEvaluation } = await import('../models/spiking-vision/evaluation.ts');
    return openVisionEvaluation;
  },
  spiking_audio: async () => {
    const { openAudioEvaluation } = await import('../models/spiking-audio/evaluation.ts');
    return openAudioEvaluation;
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

export function loadEvaluation(architecture: Architecture): Promise<OpenEvaluation> {
  return loaders[architecture]();
}
