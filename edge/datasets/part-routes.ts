import { Digest } from '../contract/digest.ts';
import type { datasetEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { IMMUTABLE, wholeFile } from '../http/file-response.ts';
import { teamSeen } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import type { CallOf, ReplyOf } from '../http/route.ts';
import { datasetsOf } from './stub.ts';
import { partsNotFound } from './parts-locate.ts';
import { receivePart } from './parts-receive.ts';
import { streamOf } from './parts-stream.ts';

type Endpoints = typeof datasetEndpoints;
type Handled<K extends keyof Endpoints> = CallOf<Env, Endpoints[K]>;
type Reply<K extends keyof Endpoints> = Promise<ReplyOf<Endpoints[K]>>;

/** POST /parts/missing. Those that are there are kept for a day, so that what asked can name them. */
export async function missingParts(call: Handled<'missingParts'>): Reply<'missingParts'> {
  const { env, body, caller } = call;
  const asked = [...new Set(body.digests)];
  const found = await datasetsOf(env).touchParts(asked, teamSeen(caller));
  const there = new Set(found.map(({ digest }) => digest));
  return { status: 200, body: { missing: asked.filter((digest) => !there.has(digest)) } };
}

/** PUT /parts/{digest}: 201 for a new part, 200 where it was there already. */
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
