/** Every family by the value of `architecture` in its model_spec. */
export const ARCHITECTURES = [
  'dense_chronospike',
  'standard_transformer',
  'sparse_event_memory',
  'spiking_multimodal',
  'spiking_vision',
  'spiking_audio',
  'memoried_spikenetlm',
] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** What kind of data a family learns from, in the words of the training service. */
export type Category = 'LangText' | 'Vision' | 'Audio' | 'MultiModal';
