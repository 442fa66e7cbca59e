/** What families, their fields and presets are called, wherever a model is set up. */
export const enModel = {
  'architecture.dense_chronospike': 'Spiking text model',
  'architecture.standard_transformer': 'Float transformer',
  'architecture.spiking_multimodal': 'Spiking captions of pictures and sounds',

  'modelField.d_model': 'Width',
  'modelField.n_heads': 'Heads',
  'modelField.num_blocks': 'Blocks',
  'modelField.time_steps': 'Time steps',
  'modelField.neuron_type': 'Neurons',
  'modelField.seq_len': 'Sequence length',
  'modelField.tokenizer': 'Tokens',
  'modelField.vocab_size': 'Vocabulary, at most',
  'modelField.encoding': 'Encoding',
  'modelField.aozora': 'Remove Aozora Bunko mark-up',
  'modelField.normalise': 'Normalise',
  'modelField.caption_seq_len': 'Caption length',
  'modelField.caption_key': 'Caption in',
  'modelField.batch_size': 'Batch size',
  'modelField.learning_rate': 'Learning rate',
  'modelField.architecture': 'Family',
  'modelField.preset': 'Preset',

  'choice.true': 'yes',
  'choice.false': 'no',

  'preset.tiny': 'Tiny',
  'preset.small': 'Small',
  'preset.base': 'Base',
  'preset.large': 'Large',
  'preset.custom': 'Custom',
} as const;
