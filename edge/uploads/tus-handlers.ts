import { hashOf } from '../contract/digest.ts';
import type { FileRecord } from '../registry/contract/model-file.ts';
import type { ChunkChecksum } from './contract/tus.ts';
import type { Env } from '../env.ts';
import { chunksOf } from '../http/body.ts';
import type { Call } from '../http/call.ts';
import { limitsOf, maySee, overQuota, requireChange } from '../http/ownership.ts';
import { Problem } from '../http/problem.ts';
import { ulid } from '../http/ulid.ts';
import type { UploadRef, UploadSession } from './machine.ts';
import type { NewSession, SessionResult, SessionView, UploadOwner } from './sessions.ts';
import { appendChunk, type SessionHolder } from './chunk-writer.ts';
import { discardBytes, newObjectKey } from './file-writer.ts';
import {
  checksumOf,
  requireChunkType,
  requireTus,
  uploadLengthOf,
  uploadOffsetOf,
} from './tus-request.ts';

type Target = Pick<
  UploadSession,
  'modelId' | 'version' | 'filename' | 'claimedDigest' | 'owner' | 'team'
>;
/** A request to the uploads of a resource; its parameters are those of the endpoint's path. */
export type TusCall = Omit<Call<Env>, 'params'> & {
  readonly params: Readonly<Record<string, string>>;
};

/** A kind of resource that is uploaded by tus. */
export interface UploadResource {
  /** Stores the uploads and publishes complete ones. */
  holder(env: Env): SessionHolder;
  /** The quota that its bytes count towards. */
  readonly quota: 'dataset_bytes' | 'model_bytes';
  /** The id of the resource in the path. */
  ownerOf(call: Pick<TusCall, 'params'>): string;
  /** The target of a new upload, checked before any bytes are accepted. */
  targetOf(
    call: TusCall,
    upload: { readonly metadata: string; readonly lengthBytes: number },
  ): Promise<Target>;
  /** The path of the uploads of an owner, below the service. */
  uploadsOf(owner: string): string;
  /** The path of a published upload, below the service. */
  resultOf(session: UploadSession, file: FileRecord): string;
  notFound(ref: UploadRef): Problem;
  otherBytes(ref: UploadRef, file: FileRecord): Problem;
  /** The refusal where the target of an upload is gone. */
  ownerNotFound(owner: string, version: string | undefined): Problem;
}

/** The requests of the protocol, for one kind of resource. */
export interface TusHandlers {
  /** POST: begins an upload, with its first bytes or without. */
  create(call: TusCall): Promise<Response>;
  /** PATCH: adds bytes. */
  append(call: TusCall): Promise<Response>;
  /** HEAD: the progress of an upload. */
  show(call: TusCall): Promise<Response>;
  /** DELETE: gives an upload up. A published file stays. */
  end(call: TusCall): Promise<Response>;
}

export function tusHandlers(resource: UploadResource): TusHandlers {
  const uploads = new Uploads(resource);
  return {
    create: (call) => carriedOut(call, uploads.create(call)),
    append: (call) => carriedOut(call, uploads.append(call)),
    show: (call) => uploads.show(call),
    end: (call) => uploads.end(call),
  };
}

/** A client that hangs up cancels the request, but the bytes that arrived still have to be committed. */
function carriedOut({ ctx }: Pick<Call<Env>, 'ctx'>, work: Promise<Response>): Promise<Response> {
  ctx.waitUntil(work.catch(() => {}));
  return work;
}

class Uploads {
  readonly #resource: UploadResource;

  constructor(resource: UploadResource) {
    this.#resource = resource;
  }

  async create(call: TusCall): Promise<Response> {
    const { prefix, request } = call;
    const { headers } = request;
    requireTus(headers);
    const hasBytes = headers.has('content-type');
    if (hasBytes) requireChunkType(headers);
    const lengthBytes = uploadLengthOf(headers);
    const metadata = headers.get('upload-metadata') ?? '';
    const checksum = checksumOf(headers);
    const target = await this.#resource.targetOf(call, { metadata, lengthBytes });
    const session = await this.#begin(call, { ...target, metadata, lengthBytes });
    const isFirst = hasBytes || lengthBytes === 0;
    const view = isFirst
      ? await this.#appendFirst(call, session, checksum)
      : { session, file: undefined };
    const answer = this.#headersOf(call, view);
    answer.set('location', `${prefix}${this.#resource.uploadsOf(session.modelId)}/${session.id}`);
    return new Response(null, { status: 201, headers: answer });
  }

  async append(call: TusCall): Promise<Response> {
    const { env, request } = call;
    requireTus(request.headers);
    requireChunkType(request.headers);
    const offset = uploadOffsetOf(request.headers);
    const checksum = checksumOf(request.headers);
    const ref = await this.#requireChange(call);
    const opened = this.#viewOf(await this.#resource.holder(env).openSession(ref, offset), ref);
    const view = opened.file ? opened : await this.#appendBody(call, opened.session, checksum);
    return new Response(null, { status: 204, headers: this.#headersOf(call, view) });
  }

  async show(call: TusCall): Promise<Response> {
    requireTus(call.request.headers);
    const ref = this.#refOf(call);
    await this.#ownerOf(call, ref);
    const view = this.#viewOf(await this.#resource.holder(call.env).showSession(ref), ref);
    const headers = this.#headersOf(call, view);
    headers.set('upload-length', String(view.session.lengthBytes));
    headers.set('upload-metadata', view.session.metadata);
    return new Response(null, { headers });
  }

  async end(call: TusCall): Promise<Response> {
    requireTus(call.request.headers);
    const ref = await this.#requireChange(call);
    if (!(await this.#resource.holder(call.env).endSession(ref)))
      throw this.#resource.notFound(ref);
    return new Response(null, { status: 204 });
  }

  async #begin(
    { env, caller }: Pick<Call<Env>, 'env' | 'caller'>,
    upload: Omit<NewSession, 'id' | 'objectKey' | 'multipartId'>,
  ): Promise<UploadSession> {
    const objectKey = newObjectKey();
    const { uploadId: multipartId } = await env.FILES.createMultipartUpload(objectKey);
    try {
      const id = `upload_${ulid()}`;
      const { quota } = this.#resource;
      const limits = limitsOf(caller, quota, env.QUOTAS);
      const session = { ...upload, id, objectKey, multipartId };
      const begun = await this.#resource.holder(env).beginSession(session, limits);
      if (begun.kind === 'begun') return begun.session;
      const { used } = begun;
      const demand = { quota, settings: env.QUOTAS, used, adding: upload.lengthBytes };
      throw overQuota(caller, demand);
    } catch (error) {
      await discardBytes(env.FILES, { objectKey, multipartId });
      throw error;
    }
  }

  async #appendBody(
    { env, request }: Pick<Call<Env>, 'env' | 'request'>,
    session: UploadSession,
    checksum: ChunkChecksum | undefined,
  ): Promise<SessionView> {
    const chunk = { content: chunksOf(request.body), checksum };
    const target = { bucket: env.FILES, holder: this.#resource.holder(env) };
    return this.#viewOf(await appendChunk(session, chunk, target), session);
  }

  /** Appends the first chunk. The caller has no URL of this upload yet, so only a deleted model or version ends it. */
  async #appendFirst(
    call: Pick<Call<Env>, 'env' | 'request'>,
    session: UploadSession,
    checksum: ChunkChecksum | undefined,
  ): Promise<SessionView> {
    try {
      return await this.#appendBody(call, session, checksum);
    } catch (error) {
      const isEnded =
        error instanceof Problem &&
        (error.code === 'upload_not_found' || error.code === 'offset_mismatch');
      throw isEnded ? this.#resource.ownerNotFound(session.modelId, session.version) : error;
    }
  }

  /**
   * Requires that a caller began an upload, or administers the team. @throws Problem upload_not_found or
   * forbidden
   */
  async #requireChange(call: TusCall): Promise<UploadRef> {
    const ref = this.#refOf(call);
    const { owner, team } = await this.#ownerOf(call, ref);
    const notFound = () => this.#resource.notFound(ref);
    const what = `The upload ${ref.id}`;
    if (owner !== null) requireChange(call.caller, { owner, team }, { what, notFound });
    return ref;
  }

  /** The owner of an upload that is visible to the caller. @throws Problem upload_not_found */
  async #ownerOf({ env, caller }: TusCall, ref: UploadRef): Promise<UploadOwner> {
    const whose = await this.#resource.holder(env).whoseSession(ref);
    if (whose && maySee(caller, whose)) return whose;
    throw this.#resource.notFound(ref);
  }

  #refOf(call: TusCall): UploadRef {
    return { modelId: this.#resource.ownerOf(call), id: call.params['upload'] ?? '' };
  }

  /** An upload that may continue. @throws Problem for every other result */
  #viewOf(result: SessionResult, ref: UploadRef): SessionView {
    switch (result.kind) {
      case 'session':
        return result;
      case 'moved':
        throw new Problem(
          'offset_mismatch',
          `The upload continues at byte ${result.offset}: HEAD returns the offset.`,
          { headers: { 'upload-offset': String(result.offset) } },
        );
      case 'fenced':
        throw new Problem('offset_mismatch', `Another request continues the upload ${ref.id}.`);
      case 'gone':
        throw this.#resource.notFound(ref);
      case 'immutable':
        throw this.#resource.otherBytes(ref, result.file);
      case 'wrong-digest':
        throw new Problem(
          'checksum_mismatch',
          `The file is refused: expected ${result.expected}, but its bytes have ${result.digest}.`,
          { members: { retryable: false } },
        );
      case 'no-version':
        throw this.#resource.ownerNotFound(ref.modelId, undefined);
    }
  }

  /** The progress of an upload, its expiry, and the published file. */
  #headersOf({ prefix }: Pick<Call<Env>, 'prefix'>, { session, file }: SessionView): Headers {
    const headers = new Headers({
      'upload-offset': String(session.offset),
      'upload-expires': new Date(session.expiresAt).toUTCString(),
      'cache-control': 'no-store',
    });
    if (file) {
      headers.set('content-location', `${prefix}${this.#resource.resultOf(session, file)}`);
      const hash = btoa(String.fromCharCode(...hashOf(file.digest)));
      headers.set('repr-digest', `sha-256=:${hash}:`);
    }
    return headers;
  }
}
