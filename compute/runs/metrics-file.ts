import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { METRICS, writeWhole } from './run-files.ts';

/** A report of a run. Losses are means since the report before, rates spikes per neuron and time step. */
export interface MetricLine {
  readonly kind: 'train' | 'validation';
  /** Optimizer steps done. */
  readonly step: number;
  readonly epoch?: number;
  /** ISO 8601. */
  readonly time?: string;
  /** `loss`, `val_loss`, `accuracy`, `spike_rate` and more by their names; `rates` of each layer. */
  readonly [name: string]: unknown;
}

interface MetricsFile {
  append(line: Omit<MetricLine, 'time'>): Promise<void>;
  /** All lines, those from before a resume first. */
  readonly lines: readonly MetricLine[];
}

/** @param from the step of the checkpoint that a run resumes from: lines beyond it are of steps made anew */
export async function openMetrics(folder: string, from: number | undefined): Promise<MetricsFile> {
  const path = join(folder, METRICS);
  const before = from === undefined ? [] : await readMetrics(folder);
  const lines = before.filter(({ step }) => step <= (from ?? 0));
  // A process that was killed may have left half a line, and lines of steps that no checkpoint knows.
  await writeWhole(path, lines.map(textOf).join(''));
  return {
    lines,
    async append(line) {
      const timed = { ...line, time: new Date().toISOString() } as MetricLine;
      await appendFile(path, textOf(timed));
      lines.push(timed);
    },
  };
}

/** The lines of a run, without those that cannot be read; none where there is no file. */
export async function readMetrics(folder: string): Promise<MetricLine[]> {
  const text = await readFile(join(folder, METRICS), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const read = parse(line);
    return isMetricLine(read) ? [read] : [];
  });
}

/** The numbers of a line by their names, a number of each layer as `rates/hidden`. */
export function numbersOf(line: MetricLine): readonly (readonly [name: string, value: number])[] {
  return Object.entries(line).flatMap(([name, value]): [string, number][] => {
    if (name === 'step') return [];
    if (typeof value === 'number') return [[name, value]];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([part, number]) =>
      typeof number === 'number' ? [[`${name}/${part}`, number] as [string, number]] : [],
    );
  });
}

const textOf = (line: MetricLine): string => `${JSON.stringify(line)}\n`;

function isMetricLine(value: unknown): value is MetricLine {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, step } = value as Partial<MetricLine>;
  return (kind === 'train' || kind === 'validation') && typeof step === 'number' && step >= 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
