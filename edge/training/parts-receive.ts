import type { Digest } from '../contract/digest.ts';
import { MAX_PART_BYTES } from '../contract/training/checkpoint.ts';
import type { PartAnswer } from '../contract/training/dataset.ts';
import type { Env } from '../env.ts';
import { chunksOf, discardRest, mediaTypeOf, unsupported } from '../http/body.ts';
import { Problem } from '../http/problem.ts';
import { ulid } from '../http/ulid.ts';
import { writeBytes, type WrittenBytes } from '../registry/file-writer.ts';
import { datasetsOf } from './datasets-stub.ts';
import { wrongDigest } from './parts-locate.ts';

const BYTES = 'application/octet-stream';

export interface ReceivedPart {
  readonly kind: 'added' | 'same';
  readonly part: PartAnswer;
}

/**
 * Stores the body of a request under its digest, hashed while it arrives; where it is there already,
 * the body is dropped. What is refused or cut off leaves nothing.
 *
 * @throws Problem unsupported_media_type, payload_too_large, digest_mismatch, body_cut_off or
 *   upload_expired
 */
export async function receivePart(
  env: Env,
  request: Request,
  digest: Digest,
): Promise<ReceivedPart> {
  const type = mediaTypeOf(request.headers);
  if (type !== BYTES) throw unsupported(type, BYTES);
  const content = chunksOf(request.body);
  const [known] = await datasetsOf(env).touchParts([digest]);
  if (!known) return store(env, content, digest);
  await discardRest(content, MAX_PART_BYTES).catch(() => {});
  return { kind: 'same', part: { digest, size_bytes: known.sizeBytes } };
}

/** Writes the bytes under a key of their own and makes them the part; else they are deleted. */
async function store(
  env: Env,
  content: AsyncIterable<Uint8Array>,
  digest: Digest,
): Promise<ReceivedPart> {
  const datasets = datasetsOf(env);
  const objectKey = `parts/${digest.slice('sha256:'.length)}/${ulid()}`;
  let isNamed = false;
  try {
    const { sizeBytes, ...written } = await writeBytes(content, objectKey, {
      bucket: env.FILES,
      announce: (upload) => datasets.beginPart(upload),
      maxBytes: MAX_PART_BYTES,
    });
    refuseOthers(digest, { sizeBytes, ...written });
    const result = await datasets.addPart({ digest, sizeBytes, objectKey });
    if (result === 'expired') throw new Problem('upload_expired', 'The upload took too long.');
    isNamed = result === 'added';
    return { kind: result, part: { digest, size_bytes: sizeBytes } };
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
