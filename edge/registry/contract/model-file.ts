import * as z from 'zod/mini';
import { Digest, DigestClaim } from '../../contract/digest.ts';
import { Version } from '../../contract/semver.ts';
import { Timestamp } from '../../contract/timestamp.ts';

/** The name of a file within its version: no folders, nothing hidden. */
export const Filename = z
  .string()
  .check(
    z.regex(
      /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/,
      'expected 1 to 128 of A-Z a-z 0-9 . _ - and no leading dot',
    ),
  );
export type Filename = z.infer<typeof Filename>;

/** The maximum bytes of one request; larger files are uploaded in parts. */
export const MAX_UPLOAD_BYTES = 100_000_000;

/** A form may be longer than its file by this. */
export const FORM_OVERHEAD_BYTES = 64 * 1024;

/** A file of a version: complete, and never changed again. */
export const FileRecord = z.object({
  filename: Filename,
  size_bytes: z.int(),
  digest: Digest,
  content_type: z.string(),
  created_at: Timestamp,
});
export type FileRecord = z.infer<typeof FileRecord>;

/** The claims of an upload about its file: in the query, or in the fields of a form. */
export const UploadClaim = z.strictObject({
  filename: Filename,
  /** By default the only version, else the one that waits for files, else the default version. */
  version: z.optional(Version),
  digest: z.optional(DigestClaim),
});
export type UploadClaim = z.output<typeof UploadClaim>;

/** The response to an upload: 201 for a new file, 200 where the same bytes were already there. */
export const UploadAnswer = z.object({
  model_id: z.string(),
  version: Version,
  filename: Filename,
  size_bytes: z.int(),
  digest: Digest,
  etag: z.string(),
});
export type UploadAnswer = z.infer<typeof UploadAnswer>;

/** The strong validator of a file: its digest, quoted. */
export const etagOf = (digest: Digest): string => `"${digest}"`;

const BY_EXTENSION: Readonly<Record<string, string>> = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

/** The media type of a file by its extension; unknown ones are bytes. */
export function contentTypeOf(filename: string): string {
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return BY_EXTENSION[extension] ?? 'application/octet-stream';
}
