import * as z from 'zod/mini';
import { Filename, MAX_UPLOAD_BYTES, UploadClaim } from '../registry/contract/model-file.ts';
import { mediaTypeOf, tooLarge, unsupported } from '../http/body.ts';
import { boundaryOf, fieldText, formParts } from '../http/multipart.ts';
import { parseBody, parseQuery } from '../contract/parse.ts';
import { Problem } from '../http/problem.ts';
import type { WrittenBytes } from './file-writer.ts';

const FORM = 'multipart/form-data';
const BYTES = 'application/octet-stream';

/** A complete file in the bucket, with the claims of its sender. */
interface ReceivedFile {
  readonly claim: UploadClaim;
  readonly written: WrittenBytes;
}

/** Puts the bytes of the file into the bucket. */
type Write = (content: AsyncIterable<Uint8Array>) => Promise<WrittenBytes>;

/** Beside a form, the query may hold any of the claim. */
const QueryClaim = z.partial(UploadClaim);
type QueryClaim = z.output<typeof QueryClaim>;

/** An upload of which only the head was read: what it claims in its query, and how to read on. */
export interface OpenUpload {
  readonly query: QueryClaim;
  receive(content: AsyncIterable<Uint8Array>, write: Write): Promise<ReceivedFile>;
}

/**
 * Reads the head of an upload, so that no bytes are read that will be refused.
 *
 * @throws Problem unsupported_media_type, payload_too_large or invalid_parameter
 */
export function openUpload(headers: Headers, url: URL): OpenUpload {
  const type = mediaTypeOf(headers);
  switch (type) {
    case BYTES: {
      const length = Number(headers.get('content-length') ?? 0);
      if (length > MAX_UPLOAD_BYTES) throw tooLarge(MAX_UPLOAD_BYTES);
      const claim = parseQuery(UploadClaim, url);
      return {
        query: claim,
        receive: async (content, write) => ({ claim, written: await write(content) }),
      };
    }
    case FORM: {
      const boundary = boundaryOf(headers.get('content-type') ?? '');
      const query = parseQuery(QueryClaim, url);
      return {
        query,
        receive: (content, write) => receiveForm(formParts(content, boundary), query, write),
      };
    }
    default:
      throw unsupported(type, `${FORM} or ${BYTES}`);
  }
}

/** The fields and the file may come in any order; a field overrides the query. */
async function receiveForm(
  parts: ReturnType<typeof formParts>,
  query: QueryClaim,
  write: Write,
): Promise<ReceivedFile> {
  const claim: Record<string, unknown> = { ...query };
  let written: WrittenBytes | undefined;
  for await (const part of parts) {
    if (part.name !== 'file') {
      claim[part.name] = await fieldText(part);
      continue;
    }
    if (written) throw formProblem('/file', 'expected one file, got another one');
    claim['filename'] ??= parseBody(FilePart, { file: part.filename }).file;
    written = await write(part.content);
  }
  if (!written) throw formProblem('/file', 'expected a file in a field of this name');
  return { claim: parseBody(UploadClaim, claim), written };
}

/** The file name precedes its bytes. */
const FilePart = z.object({ file: Filename });

function formProblem(pointer: string, detail: string): Problem {
  return new Problem('validation_failed', `${pointer}: ${detail}`, {
    errors: [{ pointer, code: 'invalid_form', detail }],
  });
}
