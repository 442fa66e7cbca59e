/** What families, their fields and presets are called, wherever a model is set up. */
export const enModel = {
  'architecture.dense_chronospike': 'Spiking text model',
  'architecture.standard_transformer': 'Float transformer',

  'modelField.d_model': 'Width',
  'modelField.n_heads': 'Heads',
  'modelField.num_blocks': 'Blocks',
  'modelField.time_steps': 'Time steps',
  'modelField.neuron_type': 'Neurons',
  'modelField.seq_len': 'Sequence length',
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
