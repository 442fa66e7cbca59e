import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CALLS, type Names } from './wrangler-calls.ts';
import type { Wrangler } from './wrangler.ts';

/** The most that a bundle may hold, and the longest that a start may take. */
export const BARS = { kilobytes: 500, startMs: 50 } as const;
/** A start is measured so often, and the quickest counts: others on the machine only make it slower. */
const STARTS = 3;

/** The part of a V8 CPU profile that is read; times in microseconds. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Measured {
  /** Of the modules after gzip, in 1000 bytes. */
  readonly kilobytes: number;
  /** Busy time of a start by the runtime's profile; undefined where none could be taken. */
  readonly startMs: number | undefined;
}

/** Measures the bundle in a folder, and how long it takes to start. */
export async function measure(wrangler: Wrangler, names: Names, folder: string): Promise<Measured> {
  const modules = readdirSync(folder).filter((name) => /\.(?:js|wasm)$/.test(name));
  const bytes = modules.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const file = join(folder, 'start.cpuprofile');
    const { code } = await wrangler(CALLS.profile(names, file));
    if (code === 0) starts.push(busyMs(JSON.parse(readFileSync(file, 'utf8')) as Profile));
  }
  return {
    kilobytes: bytes.reduce((sum, size) => sum + size, 0) / 1000,
    startMs: starts.length > 0 ? Math.min(...starts) : undefined,
  };
}

/**
 * How long the Worker was busy in a profile of its start: its own code, compiling it and collecting its
 * garbage, without the code that wrangler starts it with.
 */
export function busyMs({ nodes, samples, timeDeltas }: Profile): number {
  const owned = new Set<number>();
  // Nodes come after who called them.
  for (const { id, callFrame, children = [] } of nodes) {
    const isOwn = callFrame.url.endsWith('worker.js') || callFrame.functionName === COLLECTING;
    if (isOwn) owned.add(id);
    if (owned.has(id)) for (const child of children) owned.add(child);
  }
  const own = samples.map((id, i) => (owned.has(id) ? (timeDeltas[i] ?? 0) : 0));
  return own.reduce((sum, us) => sum + us, 0) / 1000;
}

const COLLECTING = '(garbage collector)';

export function describeMeasured({ kilobytes, startMs }: Measured): string {
  const start = startMs === undefined ? 'was not measured' : `${startMs.toFixed(1)} ms`;
  return (
    `bundle: ${kilobytes.toFixed(1)} kB after gzip, of ${BARS.kilobytes}\n` +
    `start: ${start}, of ${BARS.startMs} (the quickest of ${STARTS}, here: profile of workerd)`
  );
}
