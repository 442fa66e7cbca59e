/** The description of every model family, without its code: what pages and schemas of requests load. */
export { chronospikeDescription as dense_chronospike } from './dense-chronospike/description.ts';
export { memoriedDescription as memoried_spikenetlm } from './memoried-spikenetlm/description.ts';
export { sparseDescription as sparse_event_memory } from './sparse-event-memory/description.ts';
export { audioDescription as spiking_audio } from './spiking-audio/description.ts';
export { multimodalDescription as spiking_multimodal } from './spiking-multimodal/description.ts';
export { visionDescription as spiking_vision } from './spiking-vision/description.ts';
export { transformerDescription as standard_transformer } from './standard-transformer/description.ts';
