import { describe, expect, it } from 'vitest';
import { CategoryRequest } from '../../../../edge/contract/training/train-request.ts';
import { presetOf, presetValues } from '../../../../web/model-form/model-values.ts';
import { formOf, requestOf } from '../../../../web/screens/jobs/new-job/job-form.ts';

const filled = (values: object) => formOf(JSON.stringify(values));

describe('the form for a new job', () => {
  it('rule 9: begins with sequences of 64 tokens and a learning rate of 0.0001', () => {
    const request = requestOf(filled({ dataset_path: 'datasets/a' }));

    expect(request).toMatchObject({ seq_len: 64, learning_rate: 1e-4 });
  });

  it('takes from the address what is valid, and leaves out the rest', () => {
    const form = filled({ d_model: 64, n_heads: 2.5, seed: -1, minutes: 3, device: 'tpu' });

    expect(form).toMatchObject({ values: { d_model: 64 }, seed: 1, device: '' });
    expect(requestOf({ ...form, path: 'a', source: 'path' })).toMatchObject({ n_heads: 2 });
    expect(form).toMatchObject({ budget: 3, budget_in: 'minutes' });
  });

  it.each(['', '[]', 'null', '{', '"text"'])('is as it is at first for %s', (written) => {
    expect(formOf(written)).toEqual(formOf('{}'));
  });

  it('makes no request before a dataset is named', () => {
    expect(requestOf(formOf('{}'))).toBeUndefined();
    expect(requestOf(filled({ dataset_path: 'datasets/a' }))).toBeDefined();
    const tones = requestOf(filled({ model_type: 'spiking_audio', synthetic: true }));
    expect(CategoryRequest.parse(tones)).not.toHaveProperty('dataset_path');
  });

  it('makes a request that the contract takes, with its values', () => {
    const request = requestOf(
      filled({
        dataset_path: 'corpora/ａ.txt',
        output_name: 'whale',
        set_default: true,
        base_model: 'digits@1.0.0',
        steps: 40,
        replicas: 3,
        local_steps: 20,
        device: 'gpu',
        controls: { warmup: 0.2 },
      }),
    );

    expect(CategoryRequest.parse(request)).toMatchObject({
      dataset_path: 'corpora/a.txt',
      output_name: 'whale',
      set_default: true,
      architecture: 'dense_chronospike',
      convergence_profile: 'auto',
      base_model: { model_id: 'digits', version: '1.0.0' },
      steps: 40,
      replicas: 3,
      distributed: { local_steps: 20 },
      requirements: { device: 'gpu' },
      controls: { warmup: 0.2 },
    });
  });

  it('leaves the structure to the model that it goes on from', () => {
    const request = requestOf(filled({ dataset_path: 'datasets/a', base_model: 'cats@latest' }));

    expect(request).toMatchObject({ base_model: { model_id: 'cats', alias: 'latest' } });
    expect(request).toHaveProperty('batch_size');
    expect(request).not.toHaveProperty('d_model');
    expect(request).not.toHaveProperty('seq_len');
    expect(request).not.toHaveProperty('tokenizer');
  });

  it('rule 11: names no model to go on from where the family has no such input', () => {
    const asked = { dataset_path: 'datasets/a', base_model: 'cats@1.0.0' };

    expect(requestOf(filled(asked))).toHaveProperty('base_model');
    expect(requestOf(filled({ ...asked, model_type: 'spiking_multimodal' }))).not.toHaveProperty(
      'base_model',
    );
  });

  it('knows the preset that its fields have the values of', () => {
    const { architecture } = formOf('{}');
    const base = presetValues(architecture, 'base');

    expect(presetOf(architecture, base)).toBe('base');
    expect(presetOf(architecture, { ...base, n_heads: 4 })).toBe('custom');
  });
});
