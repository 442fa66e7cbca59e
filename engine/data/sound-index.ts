import { EngineError } from '../errors.ts';
import type { ByteSource } from './byte-source.ts';

/** A recording and what its index says of it. */
export interface SoundEntry {
  readonly source: ByteSource;
  readonly label: string;
  /** Who speaks; empty where nothing says. */
  readonly speaker: string;
  /** `train`, `test` or what the index calls its parts; empty where nothing says. */
  readonly split: string;
}

const INDEX = 'index.csv';
/** What the column of the classes may be called; the first that is there counts. */
const LABEL_COLUMNS = ['label', 'class', 'digit'] as const;
const MOST_CLASSES = 2 ** 16;

/**
 * The recordings of a folder in the order of their names. Where an `index.csv` lies in it, its lines
 * name the files (`file`), their classes (`label`, `class` or `digit`) and, if it has them, `speaker` and
 * `split`; otherwise the folder of each WAV file is its class. Throws EngineError `signal-invalid`.
 */
export async function readSoundIndex(files: readonly ByteSource[]): Promise<SoundEntry[]> {
  const index = files.find(({ name }) => nameOf(name) === INDEX);
  const wavs = files.filter(({ name }) => /\.wav$/i.test(name));
  const entries = index ? await indexed(index, wavs) : wavs.map(byFolder);
  if (entries.length === 0) refuse(`none of ${files.length} files is a recording`);
  const classes = new Set(entries.map(({ label }) => label)).size;
  if (classes > MOST_CLASSES) refuse(`${classes} classes, expected at most ${MOST_CLASSES}`);
  return entries.toSorted((a, b) => compare(a.source.name, b.source.name));
}

async function indexed(index: ByteSource, wavs: readonly ByteSource[]): Promise<SoundEntry[]> {
  const text = new TextDecoder().decode(await index.read(0, index.size));
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = head.split(',');
  const labelColumn = LABEL_COLUMNS.find((name) => columns.includes(name));
  if (!columns.includes('file') || labelColumn === undefined) {
    refuse(
      `${index.name} has the columns ${head}: expected file and one of ${LABEL_COLUMNS.join(', ')}`,
    );
  }
  const byName = new Map(wavs.map((source) => [nameOf(source.name), source]));
  return lines.map((line, i) => {
    const cells = line.split(',');
    const cell = (column: string) => cells[columns.indexOf(column)] ?? '';
    const source = byName.get(nameOf(cell('file')));
    const label = cell(labelColumn);
    if (!source) return refuse(`${index.name} names ${cell('file')}, which is not in the folder`);
    if (label === '') refuse(`${index.name}, line ${i + 2}: ${cell('file')} has no ${labelColumn}`);
    return { source, label, speaker: cell('speaker'), split: cell('split') };
  });
}

function byFolder(source: ByteSource): SoundEntry {
  const label = source.name.split(/[/\\]/).at(-2);
  if (label) return { source, label, speaker: '', split: '' };
  return refuse(
    `${source.name} lies in no folder that would say its class: expected class/sound.wav or ${INDEX}`,
  );
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function refuse(message: string): never {
  throw new EngineError('signal-invalid', `the folder of sounds is refused: ${message}`);
}
