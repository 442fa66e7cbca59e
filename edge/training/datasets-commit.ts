import type { DatasetCommit, DatasetRecord } from '../contract/training/dataset.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import { datasetsOf } from './datasets-stub.ts';
import { locateParts, partsNotFound, refuseWrongSum, wrongDigest } from './parts-locate.ts';
import { digestOfParts } from './parts-stream.ts';

export interface NewDataset {
  readonly name: string;
  readonly createdBy: string;
  readonly commit: DatasetCommit;
}

export interface Committed {
  readonly kind: 'created' | 'same';
  readonly record: DatasetRecord;
}

/**
 * Makes parts a dataset, after reading them once to see that they have the digest they are said to.
 *
 * @throws Problem already_exists, part_not_found or digest_mismatch
 */
export async function commitDataset(
  env: Env,
  { name, createdBy, commit }: NewDataset,
): Promise<Committed> {
  const datasets = datasetsOf(env);
  const { parts, ...said } = commit;
  const existing = await datasets.dataset(name);
  if (existing) return sameOrRefused(existing, said.digest);
  refuseWrongSum(`The dataset ${name}`, commit);
  const located = await locateParts(env, parts);
  const digest = await digestOfParts(env.FILES, located);
  if (digest !== said.digest) throw wrongDigest(`The dataset ${name}`, said.digest, digest);
  const record = { name, ...said, created_by: createdBy, created_at: new Date().toISOString() };
  const result = await datasets.addDataset(
    record,
    parts.map((part) => part.digest),
  );
  if (result.kind === 'missing') throw partsNotFound(result.digests);
  if (result.kind === 'created') return { kind: 'created', record: result.record };
  return sameOrRefused(result.record, said.digest);
}

function sameOrRefused(record: DatasetRecord, digest: string): Committed {
  if (record.digest === digest) return { kind: 'same', record };
  throw otherDataset(record);
}

export const otherDataset = ({ name, digest }: Pick<DatasetRecord, 'name' | 'digest'>) =>
  new Problem('already_exists', `The dataset ${name} stands for other bytes: ${digest}.`);
