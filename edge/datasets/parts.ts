import { type Digest, digestOf } from '../contract/digest.ts';
import type { Part, PartedFile } from '../training/contract/checkpoint.ts';
import type { Env } from '../env.ts';
import { Problem } from '../http/problem.ts';
import type { StoredPart } from './part-store.ts';
import { datasetsOf } from './stub.ts';
import { trainingOf } from '../training/training-stub.ts';
import type { ByteRange } from '../http/range.ts';

type Parted = Pick<PartedFile, 'filename' | 'digest' | 'size_bytes' | 'parts'>;

/** Digests that a refusal lists. */
const SHOWN = 8;

/**
 * The stored parts of a file in order, of those a team holds. They are retained for a day from now on, so
 * that the caller can name them.
 *
 * @throws Problem part_not_found, or digest_mismatch where the size differs
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
 * Checks that all parts of files exist. The digest of a file of several parts is left to its readers to
 * verify.
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

/** Files that a trainer sent for a job belong to the owner of the job. */
export async function giveToJob(env: Env, jobId: string, files: readonly Parted[]): Promise<void> {
  const whose = await trainingOf(env).ownership(jobId);
  const digests = files.flatMap(({ parts }) => parts.map(({ digest }) => digest));
  if (whose) await datasetsOf(env).giveParts(digests, whose);
}

/** @throws Problem digest_mismatch where the parts do not add up to the file */
export function refuseWrongSum(
  what: string,
  { digest, size_bytes, parts }: Pick<PartedFile, 'digest' | 'size_bytes' | 'parts'>,
): void {
  const sum = parts.reduce((total, part) => total + part.size_bytes, 0);
  if (sum !== size_bytes) {
    throw new Problem(
      'digest_mismatch',
      `${what} claims ${size_bytes} bytes, but its parts have ${sum}.`,
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

/** A stretch of one object of the bucket. */
interface Stretch {
  readonly objectKey: string;
  readonly offset: number;
  readonly length: number;
}

/** The bytes of parts in their order, whole or a range of them; one part is open at a time. */
export function streamOf(
  bucket: R2Bucket,
  parts: readonly StoredPart[],
  range?: ByteRange,
): ReadableStream<Uint8Array> {
  const stretches = stretchesOf(parts, range);
  const length = stretches.reduce((sum, stretch) => sum + stretch.length, 0);
  const { readable, writable } = new FixedLengthStream(length);
  // A missing part or a reader that hangs up can only be reported through the stream itself.
  pour(bucket, stretches, writable).catch((error: unknown) => writable.abort(error));
  return readable;
}

/** The digest of parts one after the other. */
export async function digestOfParts(
  bucket: R2Bucket,
  parts: readonly StoredPart[],
): Promise<Digest> {
  const hash = new crypto.DigestStream('SHA-256');
  await pour(bucket, stretchesOf(parts), hash);
  return digestOf(await hash.digest);
}

async function pour(
  bucket: R2Bucket,
  stretches: readonly Stretch[],
  into: WritableStream<Uint8Array>,
): Promise<void> {
  for (const { objectKey, offset, length } of stretches) {
    const object = await bucket.get(objectKey, { range: { offset, length } });
    if (!object)
      throw new Error(`${objectKey} is listed as a part, but the bucket has no such key`);
    await object.body.pipeTo(into, { preventClose: true });
  }
  await into.close();
}

function stretchesOf(
  parts: readonly StoredPart[],
  { from, to }: ByteRange = { from: 0, to: Infinity },
): readonly Stretch[] {
  let start = 0;
  return parts.flatMap(({ objectKey, sizeBytes }) => {
    const offset = Math.max(0, from - start);
    const end = Math.min(sizeBytes, to + 1 - start);
    start += sizeBytes;
    return end > offset ? [{ objectKey, offset, length: end - offset }] : [];
  });
}
