import { type FieldsOf, readFields } from '../../settings/fields.ts';
import { checkRun, type RunSettings } from '../../settings/run-settings.ts';
import { type backboneFields, sparseFields } from './description.ts';
import type { SparseLearning } from './learning.ts';
import { checkSparseStructure, sparseDefaults, type SparseStructure } from './structure.ts';

/** What the settings of a run ask for, in the engine's words. */
export interface SparseSettings {
  readonly structure: SparseStructure;
  readonly learning: SparseLearning;
  readonly shape: { readonly batch: number; readonly sequence: number };
}

/** Throws EngineError `invalid-setting` or `invalid-structure` naming the value and what was expected. */
export function sparseSettings(settings: RunSettings, vocabulary: number): SparseSettings {
  checkRun(settings);
  const fields = readFields(settings.architecture, sparseFields, settings.fields);
  const structure = { ...backboneStructure(fields), vocabulary };
  checkSparseStructure(structure);
  return {
    structure,
    learning: backboneLearning(fields),
    shape: { batch: settings.batch, sequence: fields.seq_len },
  };
}

/** The fields of a backbone, in whatever family it is. */
export type BackboneFields = FieldsOf<typeof backboneFields> & {
  readonly d_model: number;
  readonly num_blocks: number;
};

export function backboneLearning(fields: BackboneFields): SparseLearning {
  const { hebbian_rate: hebbianRate, load_balance: balance, negatives, dropout } = fields;
  return { hebbianRate, balance, negatives, dropout };
}

export function backboneStructure(fields: BackboneFields): Omit<SparseStructure, 'vocabulary'> {
  const { routerMemory, leak, theta } = sparseDefaults;
  return {
    width: fields.d_model,
    blocks: fields.num_blocks,
    density: fields.density,
    rank: fields.codebook_rank,
    experts: fields.experts,
    topK: fields.top_k,
    adapterRank: fields.adapter_rank,
    routerMemory,
    leak,
    theta,
    fixedSeed: fields.fixed_seed,
  };
}
