import type { ModelSpec, VersionRecord } from '../contract/model.ts';
import type { BaseModel } from '../contract/training/train-request.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { compare } from '../registry/compatibility.ts';
import { modelNotFound, registryOf, versionOf } from '../registry/registry-stub.ts';

/** What a request says of the structure that it goes on with. */
export interface AskedStructure {
  readonly architecture: string;
  /** The fields of the family; those that a model_spec does not name are none of its structure. */
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The version that a training goes on from, its number filled in. What the request says of the
 * structure has to be the same; vocabulary and tokenizer follow from the dataset, so the trainer
 * holds them against the version before the first step.
 *
 * @returns the version, and what its spec says of the structure by the names of fields
 * @throws Problem model_not_found or base_model_mismatch
 */
export async function resolveBase(
  env: Env,
  { model_id: modelId, version: chosen }: BaseModel,
  asked: AskedStructure,
): Promise<{ readonly model: BaseModel; readonly structure: AskedStructure['fields'] }> {
  const version = await versionOf(env, modelId, chosen === undefined ? {} : { version: chosen });
  const base = await registryOf(env).version({ modelId, version });
  if (!base) throw modelNotFound(modelId, version);
  const { mismatches } = compare(base, { model_spec: specFor(base, asked) });
  if (mismatches.length > 0) {
    const fields = mismatches.map(({ field }) => field.split('/').at(-1));
    const detail = `${modelId} ${version} has another ${fields.join(', ')}.`;
    throw new Problem('base_model_mismatch', detail, { members: { mismatches } });
  }
  if (base.status !== 'READY') {
    const detail = `${modelId} ${version} is ${base.status}: ${base.status_message}.`;
    throw new Problem('base_model_mismatch', detail, { members: { mismatches } });
  }
  const members = Object.entries(base.model_spec ?? {}).filter(([, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value),
  );
  // What is no text, number or flag is no field's value.
  const structure = Object.fromEntries(members) as AskedStructure['fields'];
  return { model: { model_id: modelId, version }, structure };
}

/** The version's own spec with what the request says in its place; its vocabulary is that of its tokenizer. */
function specFor({ model_spec: spec }: VersionRecord, asked: AskedStructure): ModelSpec {
  const { architecture, fields } = asked;
  const own = { model_spec_version: 1, model_family: 'unknown', ...spec, architecture };
  const { tokenizer: kind, vocab_size: _, ...structure } = fields;
  const named = Object.entries(structure).filter(([name]) => name in own);
  const tokenizer = kind !== undefined && { tokenizer: { ...tokenizerOf(spec), name: kind } };
  return {
    ...own,
    ...Object.fromEntries(named),
    ...(spec?.['tokenizer'] !== undefined && tokenizer),
  };
}

function tokenizerOf(spec: VersionRecord['model_spec']): object {
  const tokenizer = spec?.['tokenizer'];
  return typeof tokenizer === 'object' && tokenizer !== null ? tokenizer : {};
}
