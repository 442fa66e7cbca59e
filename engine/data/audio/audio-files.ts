import { EngineError } from '../../errors.ts';
import type { DataFile } from '../files/data-files.ts';
import { compareNames, fileNameOf } from '../files/data-files.ts';
import { type AudioClip, decodeWav } from './wav.ts';

/** A clip with its class. */
export interface LabelledAudio {
  readonly audio: AudioClip;
  /** Index of its class. */
  readonly label: number;
  /** The speaker and the part of the data set; empty where the data does not say. */
  readonly speaker: string;
  readonly split: string;
}

interface AudioFolder {
  readonly clips: readonly LabelledAudio[];
  /** The name of each class, in the order of the labels. */
  readonly classNames: readonly string[];
}

interface ReadingOptions {
  /** Called with the bytes of each file that was read. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  readonly signal?: AbortSignal;
}

const MAX_FILE_BYTES = 2 ** 26;

/**
 * Reads a folder of WAV files with the classes that `readAudioIndex` finds. Throws EngineError `signal-
 * invalid`, naming the file.
 */
export async function openAudioFiles(
  files: readonly DataFile[],
  { onBytes, signal }: ReadingOptions = {},
): Promise<AudioFolder> {
  const entries = await readAudioIndex(files);
  const classNames = [...new Set(entries.map(({ label }) => label))].toSorted(compareNames);
  const clips: LabelledAudio[] = [];
  for (const { file, label, speaker, split } of entries) {
    signal?.throwIfAborted();
    const bytes = await readWhole(file);
    onBytes?.(bytes);
    const audio = decodeWav(file.path, bytes);
    clips.push({ audio, label: classNames.indexOf(label), speaker, split });
  }
  return { clips, classNames };
}

async function readWhole(file: DataFile): Promise<Uint8Array> {
  if (file.size <= MAX_FILE_BYTES) return (await file.open()).read(0, file.size);
  throw new EngineError(
    'signal-invalid',
    `${file.path} has ${file.size} bytes: expected at most ${MAX_FILE_BYTES}`,
  );
}

/** A WAV file with its entry in the index; `speaker` and `split` are empty where there is none. */
interface AudioEntry {
  readonly file: DataFile;
  readonly label: string;
  readonly speaker: string;
  /** `train`, `test` or another name of a part of the data. */
  readonly split: string;
}

const INDEX = 'index.csv';
/** Names of the column of classes, the preferred one first. */
const LABEL_COLUMNS = ['label', 'class', 'digit'] as const;

/**
 * The WAV files of a folder, sorted by path. The lines of an `index.csv` name the files (`file`), their classes
 * (`label`, `class` or `digit`) and optionally `speaker` and `split`; without an index the folder of each file is
 * its class. Throws EngineError `signal-invalid`.
 */
export async function readAudioIndex(files: readonly DataFile[]): Promise<AudioEntry[]> {
  const index = files.find(({ path }) => fileNameOf(path) === INDEX);
  const wavs = files.filter(({ path }) => /\.wav$/i.test(path));
  const entries = index ? await indexed(index, wavs) : wavs.map(byFolder);
  if (entries.length === 0) refuse(`none of ${files.length} files is a WAV file`);
  return entries.toSorted((a, b) => compareNames(a.file.path, b.file.path));
}

async function indexed(index: DataFile, wavs: readonly DataFile[]): Promise<AudioEntry[]> {
  const source = await index.open();
  const text = new TextDecoder().decode(await source.read(0, source.size));
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = head.split(',');
  const labelColumn = LABEL_COLUMNS.find((name) => columns.includes(name));
  if (!columns.includes('file') || labelColumn === undefined) {
    return refuse(
      `${index.path} has the columns ${head}: expected file and one of ${LABEL_COLUMNS.join(', ')}`,
    );
  }
  const byName = new Map(wavs.map((file) => [fileNameOf(file.path), file]));
  return lines.map((line, i) => {
    const cells = line.split(',');
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    const file = byName.get(fileNameOf(cell('file')));
    const label = cell(labelColumn);
    if (!file) return refuse(`${index.path} names ${cell('file')}, which is not in the folder`);
    if (label === '') refuse(`${index.path}, line ${i + 2}: ${cell('file')} has no ${labelColumn}`);
    return { file, label, speaker: cell('speaker'), split: cell('split') };
  });
}

function byFolder(file: DataFile): AudioEntry {
  const label = file.path.split('/').at(-2);
  if (label) return { file, label, speaker: '', split: '' };
  return refuse(
    `${file.path} is in no folder that names its class: expected class/audio.wav or ${INDEX}`,
  );
}

function refuse(message: string): never {
  throw new EngineError('signal-invalid', `the audio folder is invalid: ${message}`);
}
