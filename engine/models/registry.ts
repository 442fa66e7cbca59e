/** Every model family by its architecture: a new family is its folder and one line here. */
export { denseChronospike as dense_chronospike } from './dense-chronospike/family.ts';
export { memoriedSpikenetlm as memoried_spikenetlm } from './memoried-spikenetlm/family.ts';
export { sparseEventMemory as sparse_event_memory } from './sparse-event-memory/family.ts';
export { spikingAudio as spiking_audio } from './spiking-audio/family.ts';
export { spikingMultimodal as spiking_multimodal } from './spiking-multimodal/family.ts';
export { spikingVision as spiking_vision } from './spiking-vision/family.ts';
export { standardTransformer as standard_transformer } from './standard-transformer/family.ts';
