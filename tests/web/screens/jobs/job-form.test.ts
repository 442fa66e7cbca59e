import { describe, expect, it } from 'vitest';
import { CategoryRequest, TrainRequest } from '../../../../edge/training/contract/train-request.ts';
import type { JobRecord } from '../../../../edge/training/contract/job.ts';
import { presetOf, presetValues } from '../../../../web/model-form/model-values.ts';
import {
  baselineValues,
  continuationOf,
  formOf,
  requestOf,
} from '../../../../web/screens/jobs/new-job/job-form.ts';

const filled = (values: object) => formOf(JSON.stringify(values));

describe('the form for a new job', () => {
  it('leaves unset fields to the service, for two to three minutes', () => {
    const request = requestOf(filled({ dataset_path: 'datasets/a' }));

    expect(request).toMatchObject({ minutes: 2.5, convergence_profile: 'auto' });
    for (const field of ['d_model', 'seq_len', 'batch_size', 'learning_rate']) {
      expect(request).not.toHaveProperty(field);
    }
  });

  it('rule 9: fills in sequences of 64 tokens and a rate of 0.0001 for the stable baseline', () => {
    const values = baselineValues('dense_chronospike');
    const form = { ...filled({ dataset_path: 'datasets/a' }), values };

    expect(requestOf(form)).toMatchObject({ seq_len: 64, learning_rate: 1e-4 });
    expect(baselineValues('spiking_vision')).toEqual({ learning_rate: 1e-4 });
  });

  it('makes of a job that succeeded the request that goes on for as long again', () => {
    const job = {
      model_type: 'dense_chronospike',
      dataset_path: 'datasets/a',
      config: { steps: 40, d_model: 16 },
      learning_rate: 0.01,
      convergence_profile: 'auto',
      submitted: { controls: {} },
      model_name: 'whale',
      model: { model_id: 'whale', version: '1.0.0' },
      priority: 50,
      replicas: 1,
      requirements: {},
    } as unknown as JobRecord;

    expect(TrainRequest.parse(continuationOf(job))).toMatchObject({
      base_model: { model_id: 'whale', version: '1.0.0' },
      dataset_path: job.dataset_path,
      learning_rate: job.learning_rate,
    });
  });

  it('takes from the address what is valid, and leaves out the rest', () => {
    const form = filled({ d_model: 64, n_heads: 2.5, seed: -1, minutes: 3, device: 'tpu' });

    expect(form).toMatchObject({ values: { d_model: 64 }, seed: 1, device: '' });
    expect(requestOf({ ...form, path: 'a', source: 'path' })).not.toHaveProperty('n_heads');
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
