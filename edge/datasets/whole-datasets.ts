import type { FileRecord } from '../registry/contract/model-file.ts';
import type { DatasetRecord } from './contract/dataset.ts';
import { readMetadata } from '../uploads/contract/tus.ts';
import type { DatasetStore } from './store.ts';
import type { PartHolders } from './part-holders.ts';
import type { PartStore } from './parts-store.ts';
import type { UploadSession } from '../uploads/machine.ts';
import type { Destination } from '../uploads/sessions.ts';

const BYTES = 'application/octet-stream';

/**
 * Complete uploads become data sets of one part, however large. A session's `modelId` is the name of
 * its data set, and its `version` who sends it, as in uploads from before they had an owner.
 */
export const wholeDatasets = (
  datasets: DatasetStore,
  parts: PartStore,
  holders: PartHolders,
): Destination => ({
  decide({ modelId: name, team, lengthBytes, digest, metadata }) {
    const existing = datasets.get(name);
    if (existing) {
      const isSame = existing.team === team && existing.digest === digest;
      const kind = isSame ? 'same' : 'immutable';
      return { kind, file: fileOf(existing) };
    }
    const content_type = readMetadata(metadata)?.get('filetype') || BYTES;
    const created_at = new Date().toISOString();
    const file = { filename: name, size_bytes: lengthBytes, digest, content_type, created_at };
    return { kind: 'publish', file };
  },
  publish({ objectKey, version: created_by, team, digest }, file) {
    const now = Date.now();
    const isKnown = parts.touch([digest], now, undefined).length > 0;
    if (!isKnown) parts.add({ digest, sizeBytes: file.size_bytes, objectKey }, now);
    const { filename: name, size_bytes, content_type, created_at } = file;
    const whose = { owner: created_by, team };
    const record = { name, digest, size_bytes, content_type, created_by, ...whose, created_at };
    datasets.add(record, [digest]);
    holders.give([digest], whose);
    return !isKnown;
  },
  find({ modelId: name, team, digest }: UploadSession) {
    const record = datasets.get(name);
    return record?.team === team && record.digest === digest ? fileOf(record) : undefined;
  },
});

const fileOf = ({ name, ...record }: DatasetRecord): FileRecord => ({
  filename: name,
  size_bytes: record.size_bytes,
  digest: record.digest,
  content_type: record.content_type,
  created_at: record.created_at,
});
