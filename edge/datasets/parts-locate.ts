import type { Digest } from '../contract/digest.ts';
import type { Part, PartedFile } from '../training/contract/checkpoint.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { StoredPart } from './parts-store.ts';
import { datasetsOf } from './stub.ts';
import { trainingOf } from '../training/training-stub.ts';

type Parted = Pick<PartedFile, 'filename' | 'digest' | 'size_bytes' | 'parts'>;

/** How many digests a refusal names. */
const SHOWN = 8;

/**
 * Where these parts lie, in their order, as far as a team has them. From now on they are kept for a day, so that what is about
 * to name them has the time.
 *
 * @throws Problem part_not_found, or digest_mismatch where one has another size than it is said to
 */
export async function locateParts(
  env: Env,
  parts: readonly Part[],
  team: string | undefined,
): Promise<readonly StoredPart[]> {
  const digests = [...new Set(parts.map(({ digest }) => digest))];
  const found = await datasetsOf(env).touchParts(digests, team);
  const byDigest = new Map(found.map((part) => [part.digest, part]));
  const missing = digests.filter((digest) => !byDigest.has(digest));
  if (missing.length > 0) throw partsNotFound(missing);
  return parts.map(({ digest, size_bytes }) => {
    const part = byDigest.get(digest);
    if (part?.sizeBytes === size_bytes) return part;
    throw new Problem(
      'digest_mismatch',
      `The part ${digest} has ${part?.sizeBytes} bytes, not ${size_bytes}.`,
    );
  });
}

/**
 * Sees that all parts of files are there, before something names them. The digest of a file of
 * several parts is left to whoever reads it.
 *
 * @throws Problem part_not_found or digest_mismatch
 */
export async function requireFiles(
  env: Env,
  files: readonly Parted[],
  team: string | undefined,
): Promise<void> {
  for (const file of files) refuseWrongSum(`The file ${file.filename}`, file);
  await locateParts(
    env,
    files.flatMap(({ parts }) => parts),
    team,
  );
}

/** What a trainer sent for a job belongs to whoever the job belongs to. */
export async function giveToJob(env: Env, jobId: string, files: readonly Parted[]): Promise<void> {
  const whose = await trainingOf(env).ownership(jobId);
  const digests = files.flatMap(({ parts }) => parts.map(({ digest }) => digest));
  if (whose) await datasetsOf(env).giveParts(digests, whose);
}

/** @throws Problem digest_mismatch where parts cannot make up what is said of the whole */
export function refuseWrongSum(
  what: string,
  { digest, size_bytes, parts }: Pick<PartedFile, 'digest' | 'size_bytes' | 'parts'>,
): void {
  const sum = parts.reduce((total, part) => total + part.size_bytes, 0);
  if (sum !== size_bytes) {
    throw new Problem(
      'digest_mismatch',
      `${what} is said to have ${size_bytes} bytes, but its parts have ${sum}.`,
    );
  }
  const [only] = parts;
  if (parts.length === 1 && only?.digest !== digest) {
    throw wrongDigest(what, digest, only?.digest ?? '');
  }
}

export const wrongDigest = (what: string, expected: string, actual: string) =>
  new Problem('digest_mismatch', `${what} has the digest ${actual}, expected ${expected}.`);

export function partsNotFound(digests: readonly Digest[] | readonly string[]): Problem {
  const rest = digests.length > SHOWN ? ` and ${digests.length - SHOWN} more` : '';
  const shown = digests.slice(0, SHOWN).join(', ');
  return new Problem('part_not_found', `These parts are not there: ${shown}${rest}.`, {
    members: { missing: digests },
  });
}
