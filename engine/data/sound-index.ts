import { EngineError } from '../errors.ts';
import type { DataFile } from './files/data-files.ts';

/** A recording's file and what its index says of it. */
export interface SoundEntry {
  readonly file: DataFile;
  readonly label: string;
  /** Who speaks; empty where nothing says. */
  readonly speaker: string;
  /** `train`, `test` or what the index calls its parts; empty where nothing says. */
  readonly split: string;
}

const INDEX = 'index.csv';
/** What the column of the classes may be called; the first that is there counts. */
const LABEL_COLUMNS = ['label', 'class', 'digit'] as const;

/**
 * The recordings of a folder in the order of their names. Where an `index.csv` lies in it, its lines
 * name the files (`file`), their classes (`label`, `class` or `digit`) and, if it has them, `speaker` and
 * `split`; otherwise the folder of each WAV file is its class. Throws EngineError `signal-invalid`.
 */
export async function readSoundIndex(files: readonly DataFile[]): Promise<SoundEntry[]> {
  const index = files.find(({ path }) => nameOf(path) === INDEX);
  const wavs = files.filter(({ path }) => /\.wav$/i.test(path));
  const entries = index ? await indexed(index, wavs) : wavs.map(byFolder);
  if (entries.length === 0) refuse(`none of ${files.length} files is a recording`);
  return entries.toSorted((a, b) => compareNames(a.file.path, b.file.path));
}

/** By code units: the same order on every machine. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

async function indexed(index: DataFile, wavs: readonly DataFile[]): Promise<SoundEntry[]> {
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
  const byName = new Map(wavs.map((file) => [nameOf(file.path), file]));
  return lines.map((line, i) => {
    const cells = line.split(',');
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    const file = byName.get(nameOf(cell('file')));
    const label = cell(labelColumn);
    if (!file) return refuse(`${index.path} names ${cell('file')}, which is not in the folder`);
    if (label === '') refuse(`${index.path}, line ${i + 2}: ${cell('file')} has no ${labelColumn}`);
    return { file, label, speaker: cell('speaker'), split: cell('split') };
  });
}

function byFolder(file: DataFile): SoundEntry {
  const label = file.path.split('/').at(-2);
  if (label) return { file, label, speaker: '', split: '' };
  return refuse(
    `${file.path} lies in no folder that would say its class: expected class/sound.wav or ${INDEX}`,
  );
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? path;
}

function refuse(message: string): never {
  throw new EngineError('signal-invalid', `the folder of sounds is refused: ${message}`);
}
