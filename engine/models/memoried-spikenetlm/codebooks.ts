import type { StoredModel } from '../../checkpoint/checkpoint.ts';
import { digestOf } from '../../checkpoint/files.ts';
import type { StoredBuffers } from '../../checkpoint/parameters-file.ts';
import type { SafetensorsEntry } from '../../checkpoint/safetensors.ts';
import { EngineError } from '../../errors.ts';
import { prefixesOf } from '../captioning/prefix.ts';
import {
  centroidsName,
  type CodebookDigests,
  type CodedInputs,
  type CodedModality,
  type MemoriedSpec,
  memoriedStructureFrom,
} from './family.ts';

/** For each modality that a model reads in codes, the centroids they stand for, `[codes][features]`. */
export type Codebooks = Readonly<Partial<Record<CodedModality, Float32Array>>>;

export function codebookBuffers(inputs: CodedInputs, codebooks: Codebooks): StoredBuffers {
  const entries = prefixesOf(inputs).map(({ modality, features }) => {
    const data = codebooks[modality] ?? new Float32Array();
    const shape = [data.length / features, features];
    return [centroidsName(modality), { dtype: 'F32', shape, data }] satisfies [
      string,
      SafetensorsEntry,
    ];
  });
  return new Map(entries);
}

export function codebookDigests(codebooks: Codebooks): CodebookDigests {
  const entries = Object.entries(codebooks).map(
    ([modality, { buffer, byteOffset, byteLength }]) => {
      return [modality, digestOf(new Uint8Array(buffer, byteOffset, byteLength))];
    },
  );
  return Object.fromEntries(entries) as CodebookDigests;
}

/** Those of a stored model. Throws EngineError `checkpoint-mismatch` where they are not what its spec names. */
export function codebooksOf({ spec, buffers }: StoredModel<MemoriedSpec>): Codebooks {
  const prefixes = prefixesOf(memoriedStructureFrom(spec));
  const codebooks: Codebooks = Object.fromEntries(
    // A checkpoint was checked for what its family keeps.
    prefixes.map(({ modality }) => [
      modality,
      buffers?.get(centroidsName(modality))?.data as Float32Array,
    ]),
  );
  const digests = codebookDigests(codebooks);
  for (const { modality } of prefixes) {
    const expected = spec.core[modality]?.codebook_sha256;
    if (digests[modality] === expected) continue;
    throw new EngineError(
      'checkpoint-mismatch',
      `${centroidsName(modality)} has the sha256 ${digests[modality]}, model_spec.json names ${expected}`,
    );
  }
  return codebooks;
}
