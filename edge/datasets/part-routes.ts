import { Digest } from '../contract/digest.ts';
import type { datasetEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { IMMUTABLE, wholeFile } from '../http/file-response.ts';
import { limitsOf, overQuota, ownershipOf, requireQuota, teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { datasetsOf } from './stub.ts';
import { partsNotFound, streamOf, wrongDigest } from './parts.ts';
import { MAX_PART_BYTES } from '../training/contract/checkpoint.ts';
import type { PartAnswer } from './contract/dataset.ts';
import { chunksOf, discardRest, mediaTypeOf, unsupported } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import type { Caller } from '../http/caller.ts';
import { ulid } from '../http/ulid.ts';
import { writeBytes, type WrittenBytes } from '../uploads/file-writer.ts';

type Endpoints = typeof datasetEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** POST /parts/missing. Existing parts are retained for a day, so that the caller can name them. */
export async function missingParts(call: Handled<'missingParts'>): Reply<'missingParts'> {
  const { env, body, caller } = call;
  const digests = [...new Set(body.digests)];
  const found = await datasetsOf(env).touchParts(digests, teamSeen(caller));
  const existing = new Set(found.map(({ digest }) => digest));
  return { status: 200, body: { missing: digests.filter((digest) => !existing.has(digest)) } };
}

/** PUT /parts/{digest}: 201 for a new part, 200 where it was existing already. */
export async function putPart(call: Handled<'putPart'>): Reply<'putPart'> {
  const { env, ctx } = call;
  const work = receivePart(env, call, digestIn(call));
  // A caller who hangs up cancels the request, but what it wrote still has to be cleared away.
  ctx.waitUntil(work.catch(() => {}));
  const { kind, part } = await work;
  return { status: kind === 'added' ? 201 : 200, body: part };
}

/** GET and HEAD /parts/{digest}. */
export async function getPart(call: Handled<'getPart'>): Promise<Response> {
  const { env, request, caller } = call;
  const digest = digestIn(call);
  const part = await datasetsOf(env).part(digest, teamSeen(caller));
  if (!part) throw partsNotFound([digest]);
  return wholeFile(request, {
    filename: digest.slice('sha256:'.length),
    digest,
    sizeBytes: part.sizeBytes,
    contentType: 'application/octet-stream',
    cacheControl: IMMUTABLE,
    read: () => streamOf(env.FILES, [part]),
  });
}

function digestIn({ params }: { readonly params: { readonly digest: string } }): Digest {
  const parsed = Digest.safeParse(params.digest);
  if (parsed.success) return parsed.data;
  const shown = JSON.stringify(params.digest.slice(0, 128));
  throw new Problem(
    'invalid_parameter',
    `The digest in the path is ${shown}: ${parsed.error.issues[0]?.message}.`,
  );
}

const BYTES = 'application/octet-stream';

/** A request with a part, and who sends it. */
type Sent = Pick<Call<Env>, 'request' | 'caller'>;

interface ReceivedPart {
  readonly kind: 'added' | 'same';
  readonly part: PartAnswer;
}

/**
 * Stores the body of a request under its digest, hashed while it arrives; where it is existing already,
 * the body is dropped. What only other teams sent is hashed all the same: who knows a digest does not
 * have the bytes. What is refused or cut off leaves nothing.
 *
 * @throws Problem unsupported_media_type, payload_too_large, digest_mismatch, body_cut_off or
 *   upload_expired or quota_exceeded
 */
async function receivePart(
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

/** Writes the bytes under a key of their own and adds them as the part; on failure they are deleted. */
async function store(
  env: Env,
  content: AsyncIterable<Uint8Array>,
  { digest, caller }: { readonly digest: Digest; readonly caller: Caller },
): Promise<ReceivedPart> {
  const datasets = datasetsOf(env);
  const quota = { quota: 'dataset_bytes', settings: env.QUOTAS } as const;
  const limits = limitsOf(caller, quota.quota, quota.settings);
  const holder = teamSeen(caller) === undefined ? null : ownershipOf(caller);
  // Refuse callers whose quota is used up before reading any bytes.
  if (holder) requireQuota(caller, { ...quota, used: await datasets.usedBytes(holder) });
  const objectKey = `parts/${digest.slice('sha256:'.length)}/${ulid()}`;
  let isNamed = false;
  try {
    const { sizeBytes, ...written } = await writeBytes(content, objectKey, {
      bucket: env.FILES,
      announce: (upload) => datasets.beginUpload(upload),
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
    // Where this fails as well, the object's alarm deletes the bytes.
    if (!isNamed) await datasets.abandonUpload(objectKey).catch(() => {});
  }
}

function refuseOthers(expected: Digest, { digest, sizeBytes }: WrittenBytes): void {
  if (digest !== expected) throw wrongDigest(`The body of ${sizeBytes} bytes`, expected, digest);
  if (sizeBytes > 0) return;
  throw new Problem('invalid_parameter', 'The body is empty, expected at least one byte.');
}
