import {
  type DatasetCommit,
  DatasetName,
  datasetNameIn,
  type DatasetRecord,
} from './contract/dataset.ts';
import { Problem } from '../http/problem.ts';
import type { Env } from '../env.ts';
import { datasetsOf } from './stub.ts';
import type { Caller } from '../http/caller.ts';
import {
  limitsOf,
  maySee,
  overQuota,
  ownershipOf,
  requireQuota,
  teamSeen,
} from '../http/ownership.ts';
import { digestOfParts, locateParts, partsNotFound, refuseWrongSum, wrongDigest } from './parts.ts';

type Named = { readonly params: { readonly name: string } };

/** The name in the path of a data set that is to be. @throws Problem invalid_parameter */
export function requireName({ params: { name } }: Named): DatasetName {
  const parsed = DatasetName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new Problem('invalid_parameter', unlikely(name, parsed.error.issues[0]?.message));
}

/** As `requireName`; one that no dataset can have is answered like one that none has. */
export function nameIn({ params: { name } }: Named): DatasetName {
  const parsed = DatasetName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new Problem('dataset_not_found', unlikely(name, parsed.error.issues[0]?.message));
}

const unlikely = (name: string, why: string | undefined) =>
  `No dataset can be named ${JSON.stringify(name.slice(0, 128))}: ${why}.`;

/** Sees that the dataset a path names is there and of a team; a trainer's own file is the trainer's to find. */
export async function requireDataset(
  env: Env,
  path: string | null,
  team: string | undefined,
): Promise<void> {
  const name = path === null ? undefined : datasetNameIn(path);
  if (name === undefined) return;
  if (!(await datasetsOf(env).dataset(name, team))) throw datasetNotFound(name);
}

export const datasetNotFound = (name: string) =>
  new Problem('dataset_not_found', `There is no dataset ${name}.`);

interface NewDataset {
  readonly name: string;
  readonly caller: Caller;
  readonly commit: DatasetCommit;
}

interface Committed {
  readonly kind: 'created' | 'same';
  readonly record: DatasetRecord;
}

/**
 * Commits uploaded parts as a dataset, after reading them once to verify the digest.
 *
 * @throws Problem already_exists, part_not_found or digest_mismatch
 */
export async function commitDataset(
  env: Env,
  { name, caller, commit }: NewDataset,
): Promise<Committed> {
  const datasets = datasetsOf(env);
  const { parts, ...claimed } = commit;
  const quota = { quota: 'datasets', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const [seen, whose] = [teamSeen(caller), ownershipOf(caller)];
  const existing = await datasets.dataset(name, undefined);
  if (existing) return sameOrRefused(existing, { digest: claimed.digest, caller });
  requireQuota(caller, { ...quota, used: await datasets.countOf(whose) });
  refuseWrongSum(`The dataset ${name}`, commit);
  const located = await locateParts(env, parts, seen);
  const digest = await digestOfParts(env.FILES, located);
  if (digest !== claimed.digest) throw wrongDigest(`The dataset ${name}`, claimed.digest, digest);
  const created_at = new Date().toISOString();
  const record = { name, ...claimed, created_by: whose.owner, ...whose, created_at };
  const result = await datasets.addDataset(
    record,
    parts.map((part) => part.digest),
    { seen, limits },
  );
  if (result.kind === 'over') throw overQuota(caller, { ...quota, used: result.used });
  if (result.kind === 'missing') throw partsNotFound(result.digests);
  if (result.kind === 'created') return { kind: 'created', record: result.record };
  return sameOrRefused(result.record, { digest: claimed.digest, caller });
}

interface Repeated {
  readonly digest: string;
  readonly caller: Caller;
}

function sameOrRefused(record: DatasetRecord, { digest, caller }: Repeated): Committed {
  if (maySee(caller, record) && record.digest === digest) return { kind: 'same', record };
  throw otherDataset(record, caller);
}

/** The refusal of a name that is taken; the digest it stands for is revealed to its team only. */
export const otherDataset = (
  record: Pick<DatasetRecord, 'name' | 'digest' | 'team'>,
  caller: Caller,
) =>
  maySee(caller, record)
    ? new Problem(
        'already_exists',
        `The dataset ${record.name} stands for other bytes: ${record.digest}.`,
      )
    : nameTaken(record.name);

export const nameTaken = (name: string) =>
  new Problem('already_exists', `The name ${name} is taken. Choose another one.`);
