import { UploadClaim } from '../registry/contract/model-file.ts';
import {
  type ChunkChecksum,
  MAX_RESUMABLE_BYTES,
  readChecksum,
  readMetadata,
  TUS_CHECKSUMS,
  TUS_CHUNK,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from './contract/tus.ts';
import { mediaTypeOf, unsupported } from '../http/body.ts';
import { parseQuery } from '../contract/parse.ts';
import { Problem } from '../http/problem.ts';

/** The maximum length of the metadata, which is stored with the upload. */
const MAX_METADATA_CHARS = 4096;

/** The description of the supported protocol. */
export const TUS_DESCRIPTION = {
  'tus-version': TUS_VERSION,
  'tus-extension': TUS_EXTENSIONS.join(','),
  'tus-checksum-algorithm': Object.keys(TUS_CHECKSUMS).join(','),
  'tus-max-size': String(MAX_RESUMABLE_BYTES),
} as const;

/** @throws Problem precondition_failed for another version of the protocol */
export function requireTus(headers: Headers): void {
  const version = headers.get('tus-resumable');
  if (version === TUS_VERSION) return;
  throw new Problem(
    'precondition_failed',
    `Tus-Resumable is ${JSON.stringify(version)}, expected "${TUS_VERSION}".`,
    { headers: { 'tus-version': TUS_VERSION } },
  );
}

/** @throws Problem invalid_parameter or payload_too_large */
export function uploadLengthOf(headers: Headers): number {
  const length = wholeNumber(headers, 'Upload-Length');
  if (length <= MAX_RESUMABLE_BYTES) return length;
  throw new Problem(
    'payload_too_large',
    `Upload-Length is ${length}, expected at most ${MAX_RESUMABLE_BYTES}.`,
  );
}

/** @throws Problem invalid_parameter */
export const uploadOffsetOf = (headers: Headers) => wholeNumber(headers, 'Upload-Offset');

/** The claims of the metadata about the file. @throws Problem invalid_parameter */
export function claimOf(metadata: string): UploadClaim {
  const fields = metadataFields(metadata);
  fields.searchParams.delete('filetype');
  return parseQuery(UploadClaim, fields);
}

/** The metadata as the query of an address. @throws Problem invalid_parameter */
export function metadataFields(metadata: string): URL {
  const values = metadata.length <= MAX_METADATA_CHARS ? readMetadata(metadata) : undefined;
  if (!values) {
    throw invalid(
      'Upload-Metadata',
      `expected keys that differ with values in base64, ${MAX_METADATA_CHARS} characters at most`,
    );
  }
  const fields = new URL('http://metadata.invalid');
  for (const [key, value] of values) fields.searchParams.set(key, value);
  return fields;
}

/** @throws Problem invalid_parameter where there is one that cannot be checked */
export function checksumOf(headers: Headers): ChunkChecksum | undefined {
  const header = headers.get('upload-checksum');
  if (header === null) return undefined;
  const checksum = readChecksum(header);
  if (checksum) return checksum;
  const algorithms = Object.keys(TUS_CHECKSUMS).join(' or ');
  throw invalid('Upload-Checksum', `expected ${algorithms} and the base64 of a hash`, header);
}

/** @throws Problem unsupported_media_type */
export function requireChunkType(headers: Headers): void {
  const type = mediaTypeOf(headers);
  if (type !== TUS_CHUNK) throw unsupported(type, TUS_CHUNK);
}

function wholeNumber(headers: Headers, name: string): number {
  const text = headers.get(name);
  const value = Number(text);
  if (text !== null && /^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw invalid(name, 'expected a whole number of bytes', text);
}

function invalid(parameter: string, expected: string, got?: string | null): Problem {
  const shown = got === undefined ? '' : ` (got ${JSON.stringify(got?.slice(0, 100) ?? null)})`;
  const detail = `${expected}${shown}`;
  return new Problem('invalid_parameter', `${parameter}: ${detail}`, {
    errors: [{ parameter, code: 'invalid_header', detail }],
  });
}
