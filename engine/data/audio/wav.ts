import { EngineError } from '../../errors.ts';

/** Audio samples, mixed to one channel. */
export interface AudioClip {
  readonly sampleRateHz: number;
  /** -1 to 1 for whole-number formats; floats as they were written. */
  readonly samples: Float32Array;
}

/** Format codes of a RIFF file. */
const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

const CHUNK_HEADER_BYTES = 8;
const RIFF_HEADER_BYTES = 12;
const FORMAT_BYTES = 16;
/** A format with the number of valid bits, the speakers of the channels and the GUID of the real format. */
const EXTENSIBLE_BYTES = 40;
const GUID_AT = 24;
/** The tail of KSDATAFORMAT_SUBTYPE_* GUIDs, after the format code. */
const GUID_TAIL = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71];

/** Reads the sample at a byte. */
type Reader = (view: DataView, at: number) => number;

const readers: Readonly<Record<string, Reader>> = {
  [`${PCM}/8`]: (view, at) => (view.getUint8(at) - 2 ** 7) / 2 ** 7,
  [`${PCM}/16`]: (view, at) => view.getInt16(at, true) / 2 ** 15,
  [`${PCM}/24`]: (view, at) =>
    (view.getInt8(at + 2) * 2 ** 16 + view.getUint16(at, true)) / 2 ** 23,
  [`${PCM}/32`]: (view, at) => view.getInt32(at, true) / 2 ** 31,
  [`${FLOAT}/32`]: (view, at) => view.getFloat32(at, true),
  [`${FLOAT}/64`]: (view, at) => view.getFloat64(at, true),
};

/** Bytes of a file. */
interface Span {
  readonly start: number;
  readonly end: number;
}

interface Format {
  readonly channels: number;
  readonly sampleRateHz: number;
  /** Bytes of one sample of one channel. */
  readonly bytes: number;
  readonly read: Reader;
}

type Refuse = (message: string) => never;

/**
 * Decodes a RIFF WAVE file: PCM of 8, 16, 24 or 32 bits, floats of 32 or 64, plain or extensible; channels
 * are averaged, unknown chunks are skipped. Throws EngineError `signal-invalid` that names the file, what is
 * wrong with it and what was expected.
 */
export function decodeWav(name: string, file: Uint8Array): AudioClip {
  const refuse = (message: string): never => {
    throw new EngineError('signal-invalid', `${name} is no WAV file that can be read: ${message}`);
  };
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const { format, data } = findChunks(view, refuse);
  const { channels, sampleRateHz, bytes, read } = parseFormat(view, format, refuse);
  const frameBytes = channels * bytes;
  const frames = (data.end - data.start) / frameBytes;
  if (!Number.isInteger(frames) || frames === 0) {
    refuse(`${data.end - data.start} bytes of samples: expected whole frames of ${frameBytes}`);
  }
  const samples = new Float32Array(frames);
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum += read(view, data.start + frame * frameBytes + channel * bytes);
    }
    samples[frame] = sum / channels;
    if (!Number.isFinite(samples[frame])) {
      refuse(`frame ${frame} is ${sum / channels}: expected a finite number`);
    }
  }
  return { sampleRateHz, samples };
}

/** The first chunk of samples and the format before it. */
function findChunks(
  view: DataView,
  refuse: Refuse,
): { readonly format: Span; readonly data: Span } {
  let format: Span | undefined;
  for (const { tag, ...span } of chunksOf(view, refuse)) {
    if (tag === 'data') {
      if (format) return { format, data: span };
      refuse(`its samples at byte ${span.start} have no "fmt " before them`);
    }
    if (tag === 'fmt ') {
      if (format) refuse(`it has a second "fmt " at byte ${span.start}`);
      format = span;
    }
  }
  return refuse('it has no chunk "data"');
}

/** The contents of the chunks, in order. */
function* chunksOf(view: DataView, refuse: Refuse): Generator<Span & { readonly tag: string }> {
  if (view.byteLength < RIFF_HEADER_BYTES) {
    refuse(`it ends after ${view.byteLength} bytes, within its header of ${RIFF_HEADER_BYTES}`);
  }
  const [form, kind] = [tagAt(view, 0), tagAt(view, 8)];
  if (form !== 'RIFF' || kind !== 'WAVE') {
    refuse(`it starts with ${quoted(form)} and ${quoted(kind)}, expected "RIFF" and "WAVE"`);
  }
  const end = CHUNK_HEADER_BYTES + view.getUint32(4, true);
  if (end > view.byteLength) refuse(`it says ${end} bytes but has ${view.byteLength}`);
  for (let at = RIFF_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= end;) {
    const [tag, size] = [tagAt(view, at), view.getUint32(at + 4, true)];
    const start = at + CHUNK_HEADER_BYTES;
    if (size > end - start) {
      refuse(`chunk ${quoted(tag)} at byte ${at} says ${size} bytes, ${end - start} are left`);
    }
    yield { tag, start, end: start + size };
    // Chunks start at even bytes.
    at = start + size + (size % 2);
  }
}

function parseFormat(view: DataView, { start, end }: Span, refuse: Refuse): Format {
  if (end - start < FORMAT_BYTES) {
    refuse(`its format has ${end - start} bytes, expected at least ${FORMAT_BYTES}`);
  }
  const tag = view.getUint16(start, true);
  const channels = view.getUint16(start + 2, true);
  const sampleRateHz = view.getUint32(start + 4, true);
  const frameBytes = view.getUint16(start + 12, true);
  const bits = view.getUint16(start + 14, true);
  const kind = tag === EXTENSIBLE ? extendedKind(view, { start, end }, refuse) : tag;
  const read = readers[`${kind}/${bits}`];
  if (!read) {
    return refuse(
      `its samples are format ${kind} of ${bits} bits, expected format ${PCM} of 8, 16, 24 or 32 bits ` +
        `or format ${FLOAT} of 32 or 64`,
    );
  }
  if (channels === 0 || sampleRateHz === 0) {
    refuse(`${channels} channels at ${sampleRateHz} Hz: expected at least 1 of each`);
  }
  const bytes = bits / 8;
  if (frameBytes !== channels * bytes) {
    refuse(`a frame of ${channels} channels of ${bits} bits says ${frameBytes} bytes`);
  }
  return { channels, sampleRateHz, bytes, read };
}

/** The format code inside an extensible format. */
function extendedKind(view: DataView, { start, end }: Span, refuse: Refuse): number {
  if (end - start < EXTENSIBLE_BYTES) {
    refuse(`its extensible format has ${end - start} bytes, expected at least ${EXTENSIBLE_BYTES}`);
  }
  const guid = start + GUID_AT;
  const kind = view.getUint16(guid, true);
  if (GUID_TAIL.every((byte, i) => view.getUint8(guid + 2 + i) === byte)) return kind;
  return refuse(`its extensible format is ${kind} of a family that is not Microsoft's`);
}

function tagAt(view: DataView, at: number): string {
  return String.fromCharCode(...Array.from({ length: 4 }, (_, i) => view.getUint8(at + i)));
}

/** A tag of any bytes, fit for a message. */
function quoted(tag: string): string {
  return JSON.stringify(tag);
}
