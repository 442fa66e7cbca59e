import { EngineError } from '../../errors.ts';
import type { ByteSource } from './byte-source.ts';
import type { DataFiles } from './data-files.ts';
import { canInflateTo, crc32, inflateInto, mostUnpacked } from './inflate.ts';
import { readZipEntries, type ZipEntry } from './zip-entries.ts';

const [STORED, DEFLATED] = [0, 8];

/** Whether a file is taken for an archive, by its name. */
export function isZipName(name: string): boolean {
  return name.toLowerCase().endsWith('.zip');
}

/**
 * The files of a zip archive, unpacked in memory. Throws EngineError `dataset-invalid` for one that is cut
 * off or damaged, whose files are not of the size and the sum that it says, and for one that would unpack to
 * more than 64 MiB and a hundred times its size.
 */
export async function zipFiles(source: ByteSource): Promise<DataFiles> {
  const { name, size } = source;
  const most = mostUnpacked(size);
  if (size > most) throw tooLarge(source, size, most);
  const entries = readZipEntries(name, await source.read(0, size));
  const total = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (total > most) throw tooLarge(source, total, most);
  const files = entries
    .map((entry) => [entry.path, unpackEntry(name, entry)] as const)
    .filter(([path]) => !path.endsWith('/'))
    .map(([path, bytes]) => ({
      path,
      size: bytes.length,
      open: () => Promise.resolve(memorySource(path, bytes)),
    }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { name, files, close: () => Promise.resolve() };
}

function unpackEntry(name: string, entry: ZipEntry): Uint8Array {
  const refuse = (what: string, cause?: unknown): never => {
    const message = `${name} is no zip file, or damaged: ${entry.path} ${what}`;
    throw new EngineError('dataset-invalid', message, { cause });
  };
  const { method, packed, size } = entry;
  if (method !== STORED && method !== DEFLATED) {
    refuse(`is packed by method ${method}, expected ${STORED} (stored) or ${DEFLATED} (deflate)`);
  }
  const bytes = method === STORED ? packed : inflated(entry, refuse);
  if (bytes.length !== size) refuse(`has ${bytes.length} bytes, the archive says ${size}`);
  const sum = crc32(bytes);
  if (sum !== entry.crc) refuse(`has the sum ${hex(sum)}, the archive says ${hex(entry.crc)}`);
  return bytes;
}

function inflated(
  { packed, size }: ZipEntry,
  refuse: (what: string, cause?: unknown) => never,
): Uint8Array {
  if (!canInflateTo(packed.length, size)) {
    refuse(`says ${size} bytes, which its ${packed.length} packed ones cannot be`);
  }
  const out = new Uint8Array(size);
  let found: number;
  try {
    found = inflateInto('deflate', packed, out);
  } catch (cause) {
    return refuse(`cannot be unpacked: ${cause instanceof Error ? cause.message : cause}`, cause);
  }
  if (found > size) refuse(`has more than the ${size} bytes that the archive says`);
  return out.subarray(0, found);
}

function tooLarge({ name, size }: ByteSource, bytes: number, most: number): EngineError {
  return new EngineError(
    'dataset-invalid',
    `${name} of ${size} bytes would unpack to ${bytes}: expected at most ${most}`,
  );
}

const hex = (sum: number) => sum.toString(16).padStart(8, '0');

/** Bytes in memory, read as a file. */
export function memorySource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (start, end) => Promise.resolve(bytes.subarray(start, end)),
  };
}
