import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  Category,
  familiesOf,
  familyFields,
  ModelType,
} from '../../edge/training/contract/family-schemas.ts';
import { CategoryRequest, TrainRequest } from '../../edge/training/contract/train-request.ts';
import { families } from '../../engine/models/families.ts';
import { ARCHITECTURES } from '../../engine/models/architectures.ts';
import { type FamilyDescription } from '../../engine/settings/description.ts';
import type { Field } from '../../engine/settings/fields.ts';

/** A field of the engine as the schema of a request describes it. */
function described(field: Field): Record<string, unknown> {
  if (field.kind === 'flag') return { type: 'boolean' };
  if (field.kind === 'choice') return { type: 'string', enum: field.choices };
  if (field.kind === 'text') return { type: 'string', maxLength: field.max };
  const type = field.kind === 'whole' ? 'integer' : 'number';
  return { type, minimum: field.min, maximum: field.max };
}

const config = { steps: 1 };

describe('the fields of a request', () => {
  it('know every family of the engine', () => {
    expect(ModelType.options).toEqual(ARCHITECTURES);
  });

  it.each(ARCHITECTURES)('rule 11: of %s are those of the engine, with its ranges', (name) => {
    const { fields }: FamilyDescription = families[name];
    const schema = z.toJSONSchema(z.object(familyFields[name]), { io: 'input' });

    expect(schema.properties).toEqual(
      Object.fromEntries(Object.entries(fields).map(([wire, field]) => [wire, described(field)])),
    );
  });

  it.each(ARCHITECTURES)('of %s may be what each of its recipes says', (model_type) => {
    for (const { fields, batch, learningRate } of Object.values(families[model_type].presets)) {
      const whole = { ...config, ...fields, batch_size: batch };
      const asked = { model_type, dataset_path: 'a', config: whole, learning_rate: learningRate };

      expect(TrainRequest.parse(asked)).toMatchObject(asked);
    }
  });

  it('are left as they were given, or left out', () => {
    const paths = { dataset_path: 'a' };
    const job = TrainRequest.parse({ model_type: 'dense_chronospike', ...paths, config });
    const flat = CategoryRequest.parse({ category: 'LangText', ...paths, ...config });

    expect(job).toMatchObject({ config, convergence_profile: 'auto' });
    expect(Object.keys(job.config)).toEqual(['steps']);
    expect(flat).not.toHaveProperty('seq_len');
  });

  it.each(Object.entries(familiesOf))(
    'of %s are those of families which are of it',
    (category, names) => {
      expect(Category.options).toContain(category);
      for (const name of names) expect(families[name].category).toBe(category);
    },
  );

  it('are those of the family that an architecture names, among those that fit', () => {
    const parse = (body: object) =>
      CategoryRequest.safeParse({ dataset_path: 'a', ...config, ...body });
    const sparse = { category: 'LangText', architecture: 'sparse_event_memory' };

    expect(parse({ ...sparse, density: 0.01 }).success).toBe(true);
    expect(parse({ ...sparse, time_steps: 2 }).error?.issues[0]).toMatchObject({
      keys: ['time_steps'],
    });
    expect(parse({ ...sparse, category: 'MultiModal' }).error?.issues[0]).toMatchObject({
      path: ['architecture'],
      message:
        'expected an architecture that fits the category MultiModal: spiking_multimodal, memoried_spikenetlm',
    });
  });

  it.each(ARCHITECTURES)(
    'rule 11: of %s refuse one that it does not have, by its name',
    (model_type) => {
      const coloured = { ...config, colour: 3 };
      const read = TrainRequest.safeParse({ model_type, dataset_path: 'a', config: coloured });

      expect(read.success).toBe(false);
      expect(read.error?.issues[0]).toMatchObject({
        code: 'unrecognized_keys',
        keys: ['colour'],
        path: ['config'],
      });
    },
  );

  // Multimodal training has no resume input.
  const bases = ['spiking_multimodal', 'memoried_spikenetlm'].flatMap((model_type) =>
    ['base_model', 'base_model_path'].map((name) => [model_type, name] as const),
  );
  it.each(bases)('rule 11: of %s refuse %s', (model_type, name) => {
    const base = name === 'base_model' ? { model_id: 'cats' } : 'runs/cats';
    const body = { model_type, dataset_path: 'a', config };

    expect(TrainRequest.safeParse(body).success).toBe(true);
    expect(TrainRequest.safeParse({ ...body, [name]: base }).error?.issues[0]).toMatchObject({
      path: ['base_model'],
      message: 'expected none: runs of this family begin anew',
    });
  });
});
