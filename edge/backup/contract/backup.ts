import * as z from 'zod/mini';

/** The `next_cursor` of the page before: those of buckets are long. */
export const KeptCursor = z.string().check(z.maxLength(4096));

/** The objects whose tables are backed up. Sockets store nothing, and Idempotency nothing for longer than a day. */
export const KeptClass = z.enum([
  'Registry',
  'Training',
  'Datasets',
  'Alerts',
  'Monitoring',
  'Traces',
  'LogHub',
  'Geo',
  'RegionStore',
  'Discovery',
  'Memory',
  'MemoryDirectory',
  'Sensors',
  'Gateway',
  'Access',
]);
export type KeptClass = z.infer<typeof KeptClass>;

/** Classes whose objects are noted by name when something is stored in them first. */
export type NotedClass = Extract<KeptClass, 'Discovery' | 'MemoryDirectory' | 'Sensors' | 'Traces'>;

/** An object by its class and the name it is addressed by. */
export const KeptObject = z.strictObject({
  class: KeptClass,
  name: z.string().check(z.minLength(1), z.maxLength(1024)),
});
export type KeptObject = z.infer<typeof KeptObject>;

export const KeptObjectList = z.object({
  objects: z.array(KeptObject),
  next_cursor: z.nullable(z.string()),
});

/** The columns of a table in order, and those of its primary key. */
export const KeptTable = z.strictObject({ columns: z.array(z.string()), key: z.array(z.string()) });
export type KeptTable = z.infer<typeof KeptTable>;

/** The form of an object's rows: the number of its schema, and the tables it has with it. */
export const KeptForm = z.strictObject({
  schema: z.int().check(z.nonnegative()),
  tables: z.record(z.string(), KeptTable),
});
export type KeptForm = z.infer<typeof KeptForm>;

/** The state of an object besides its rows, at the time the last of them was read. */
export const KeptEnd = z.strictObject({
  /** When its alarm is due, in epoch milliseconds. */
  alarm: z.nullable(z.int()),
  /** The last AUTOINCREMENT values, by table. */
  sequences: z.record(z.string(), z.int()),
  rows: z.record(z.string(), z.int()),
});
export type KeptEnd = z.infer<typeof KeptEnd>;

/** The body of `POST /api/backup/read`: an object, and the `next_cursor` of the page before. */
export const ReadObject = z.strictObject({ object: KeptObject, cursor: z.optional(KeptCursor) });

/**
 * A page of an object's rows. A row is JSON, `["<table>", [<values>]]`, and replaces an earlier one with
 * the same key; `gone` holds deleted rows as `["<table>", [<key>]]`. The last page has `end`, which makes
 * the rows consistent as of one moment.
 */
export const ObjectPage = z.object({
  form: z.nullable(KeptForm),
  /** Whether these rows changed while the others were read. */
  changed: z.boolean(),
  rows: z.array(z.string()),
  gone: z.array(z.string()),
  next_cursor: z.nullable(z.string()),
  end: z.nullable(KeptEnd),
});
export type ObjectPage = z.infer<typeof ObjectPage>;

/** A file of a bucket: `bucket` is the name it is bound to. */
export const KeptFile = z.object({
  bucket: z.string(),
  key: z.string(),
  size_bytes: z.int(),
  etag: z.string(),
});
export type KeptFile = z.infer<typeof KeptFile>;

export const KeptFileList = z.object({
  files: z.array(KeptFile),
  next_cursor: z.nullable(z.string()),
});

const FilePlace = {
  bucket: z.string().check(z.minLength(1), z.maxLength(64)),
  key: z.string().check(z.minLength(1), z.maxLength(1024)),
} as const;
export const KeptFilePlace = z.strictObject(FilePlace);

export const PartNumber = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,4}$/, 'expected a whole number from 1 to 99999')),
  z.transform(Number),
);
/** A whole file, or a part of one that is written in parts. */
export const WrittenFile = z.strictObject({
  ...FilePlace,
  upload_id: z.optional(z.string().check(z.minLength(1), z.maxLength(2048))),
  part: z.optional(PartNumber),
});

export const FileUpload = z.strictObject({ ...FilePlace });
export const FileUploadBegun = z.object({ upload_id: z.string() });
export const PartWritten = z.object({ etag: z.string() });
export const FileParts = z.strictObject({
  ...FilePlace,
  upload_id: z.string().check(z.minLength(1), z.maxLength(2048)),
  parts: z
    .array(z.strictObject({ part: z.int().check(z.positive()), etag: z.string() }))
    .check(z.minLength(1), z.maxLength(10_000)),
});

/** The sum of the SHA-256 of all rows: the same rows in any order have the same. */
export const RowsDigest = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits'));

/** The maximum number of rows, and of characters of rows, of a page of a restore. */
export const STAGED = { rows: 2_000, characters: 6 * 1024 * 1024 } as const;

/** The body of `POST /api/backup/stage`: rows of an object that is being restored, page after page from 0. */
export const StagedRows = z.strictObject({
  object: KeptObject,
  digest: RowsDigest,
  page: z.int().check(z.nonnegative()),
  rows: z.array(z.string()).check(z.maxLength(STAGED.rows)),
});

/** `restored` where this object was restored from these rows already: nothing else need be sent. */
export const Staged = z.object({ status: z.enum(['staged', 'restored']), next_page: z.int() });
export type Staged = z.infer<typeof Staged>;

export type StagedRows = z.infer<typeof StagedRows>;

/** The body of `POST /api/backup/commit`: the staged rows become the object's, all or none. */
export const RestoredObject = z.strictObject({
  object: KeptObject,
  digest: RowsDigest,
  pages: z.int().check(z.nonnegative()),
  form: KeptForm,
  end: KeptEnd,
});
export type RestoredObject = z.infer<typeof RestoredObject>;

export const Restored = z.object({ status: z.literal('restored'), rows: z.int() });
