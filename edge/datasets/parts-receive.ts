import type { Digest } from '../contract/digest.ts';
import { MAX_PART_BYTES } from '../training/contract/checkpoint.ts';
import type { PartAnswer } from './contract/dataset.ts';
import type { Env } from '../env.ts';
import { chunksOf, discardRest, mediaTypeOf, unsupported } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import { limitsOf, overQuota, ownershipOf, requireQuota, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { ulid } from '../http/ulid.ts';
import { writeBytes, type WrittenBytes } from '../uploads/file-writer.ts';
import { datasetsOf } from './stub.ts';
import { wrongDigest } from './parts-locate.ts';

const BYTES = 'application/octet-stream';

/** A request with a part, and who sends it. */
export type Sent = Pick<Call<Env>, 'request' | 'caller'>;

export interface ReceivedPart {
  readonly kind: 'added' | 'same';
  readonly part: PartAnswer;
}

/**
 * Stores the body of a request under its digest, hashed while it arrives; where it is there already,
 * the body is dropped. What only other teams sent is hashed all the same: who knows a digest does not
 * have the bytes. What is refused or cut off leaves nothing.
 *
 * @throws Problem unsupported_media_type, payload_too_large, digest_mismatch, body_cut_off or
 *   upload_expired or quota_exceeded
 */
export async function receivePart(
  env: Env,
  { request, caller }: Sent,
  digest: Digest,
): Promise<ReceivedPart> {
  const type = mediaTypeOf(request.headers);
  if (type !== BYTES) throw unsupported(type, BYTES);
  const content = chunksOf(request.body);
  const [known] = await datasetsOf(env).touchParts([digest], teamSeen(caller));
  if (!known) return store(env, content, { digest, caller });
  await discardRest(content, MAX_PART_BYTES).catch(() => {});
  return { kind: 'same', part: { digest, size_bytes: known.sizeBytes } };
}

/** Writes the bytes under a key of their own and makes them the part; else they are deleted. */
async function store(
  env: Env,
  content: AsyncIterable<Uint8Array>,
  { digest, caller }: { readonly digest: Digest; readonly caller: Caller },
): Promise<ReceivedPart> {
  const datasets = datasetsOf(env);
  const quota = { quota: 'dataset_bytes', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const holder = teamSeen(caller) === undefined ? null : ownershipOf(caller);
  // Before a byte is taken: whoever may have no more at all.
  if (holder) requireQuota(caller, { ...quota, used: await datasets.usedBytes(holder) });
  const objectKey = `parts/${digest.slice('sha256:'.length)}/${ulid()}`;
  let isNamed = false;
  try {
    const { sizeBytes, ...written } = await writeBytes(content, objectKey, {
      bucket: env.FILES,
      announce: (upload) => datasets.beginPart(upload),
      maxBytes: MAX_PART_BYTES,
    });
    refuseOthers(digest, { sizeBytes, ...written });
    const result = await datasets.addPart({ digest, sizeBytes, objectKey, holder, limits });
    if (result.kind === 'expired') {
      throw new Problem('upload_expired', 'The upload took too long.');
    }
    if (result.kind === 'over') {
      throw overQuota(caller, { ...quota, used: result.used, adding: sizeBytes });
    }
    isNamed = result.kind === 'added';
    return { kind: result.kind, part: { digest, size_bytes: sizeBytes } };
  } finally {
    // Where this fails too, the object's alarm clears the bytes away.
    if (!isNamed) await datasets.abandonPart(objectKey).catch(() => {});
  }
}

function refuseOthers(expected: Digest, { digest, sizeBytes }: WrittenBytes): void {
  if (digest !== expected) throw wrongDigest(`The body of ${sizeBytes} bytes`, expected, digest);
  if (sizeBytes > 0) return;
  throw new Problem('invalid_parameter', 'The body is empty, expected at least one byte.');
}
