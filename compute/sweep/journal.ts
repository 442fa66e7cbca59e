import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { EngineError, parseJson } from '../../engine/index.ts';
import { writeWhole } from '../runs/run-files.ts';
import { applied, type Entry, NOTHING, type SweepState } from './machine.ts';

/*
 * A sweep's folder:
 *
 *   journal.jsonl   what has been decided and what has happened: its first line names the sweep and its file
 *   results.json    every run with its values, its metric and how it ended
 *   report.html     the same as a page, with parallel coordinates
 */
const JOURNAL = 'journal.jsonl';
export const RESULTS = 'results.json';

/** The first line of a journal. */
const Header = z.object({
  kind: z.literal('sweep'),
  id: z.string(),
  dataset_path: z.optional(z.string()),
  /** The file as it was parsed. */
  file: z.record(z.string(), z.unknown()),
});
type Header = z.infer<typeof Header>;

const model = z.object({ model_id: z.string(), version: z.string() });
const part = { run: z.int().check(z.gte(0)), rung: z.int().check(z.gte(0)) };
const Entries = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), ...part }),
  z.object({ kind: z.literal('submitted'), ...part, job: z.string() }),
  z.object({
    kind: z.literal('ended'),
    ...part,
    status: z.enum(['succeeded', 'failed', 'cancelled']),
    value: z.nullable(z.number()),
    step: z.int(),
    model: z.nullable(model),
    reason: z.string(),
  }),
  z.object({ kind: z.literal('registered'), ...model.shape }),
]);

/** A sweep's journal: its state is what the lines make of nothing, one after the other. */
export interface Journal {
  readonly header: Header;
  state(): SweepState;
  /** Writes a line down before anything else may rely on it. */
  append(entry: Entry): Promise<void>;
}

/** The journal of a folder; undefined where there is none. Throws EngineError `checkpoint-damaged`. */
export async function openJournal(folder: string): Promise<Journal | undefined> {
  const path = join(folder, JOURNAL);
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  const [first, ...lines] = wholeLines(text);
  const header = parsedLine(Header, first ?? '', `${path}:1`);
  const entries = lines.map((line, i) => parsedLine(Entries, line, `${path}:${i + 2}`));
  // A driver that was killed may have left half a line.
  if (!text.endsWith('\n')) await writeWhole(path, [first, ...lines, ''].join('\n'));
  return journalAt(path, header, entries.reduce(applied, NOTHING));
}

/** Begins a journal, with its folder. */
export async function createJournal(
  folder: string,
  header: Omit<Header, 'kind'>,
): Promise<Journal> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, JOURNAL);
  const first = { kind: 'sweep' as const, ...header };
  await writeWhole(path, `${JSON.stringify(first)}\n`);
  return journalAt(path, first, NOTHING);
}

function journalAt(path: string, header: Header, from: SweepState): Journal {
  let state = from;
  return {
    header,
    state: () => state,
    async append(entry) {
      await appendFile(path, `${JSON.stringify(entry)}\n`, { flush: true });
      state = applied(state, entry);
    },
  };
}

const wholeLines = (text: string): string[] => text.split('\n').slice(0, -1);

function parsedLine<S extends z.ZodMiniType>(schema: S, line: string, place: string): z.output<S> {
  try {
    return z.parse(schema, parseJson(line));
  } catch (error) {
    throw new EngineError('checkpoint-damaged', `${place} is no line of a sweep's journal`, {
      cause: error,
    });
  }
}
