import { readFields } from '../../families/fields.ts';
import { checkRun, type RunSettings } from '../../train/run-settings.ts';
import { type SparseFields, sparseFields } from './fields.ts';
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
  const structure = structureOf(fields, vocabulary);
  checkSparseStructure(structure);
  const { hebbian_rate: hebbianRate, load_balance: balance, negatives, dropout } = fields;
  return {
    structure,
    learning: { hebbianRate, balance, negatives, dropout },
    shape: { batch: settings.batch, sequence: fields.seq_len },
  };
}

function structureOf(fields: SparseFields, vocabulary: number): SparseStructure {
  const { routerMemory, leak, theta } = sparseDefaults;
  return {
    vocabulary,
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
