import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CALLS, type Names } from './wrangler-calls.ts';
import type { Wrangler } from './wrangler.ts';

/** The most that a bundle may hold, and the longest that a start may take. */
export const BARS = { kilobytes: 500, startMs: 50 } as const;
/** A start is measured so often, and the quickest counts: others on the machine only make it slower. */
const STARTS = 3;

export interface Measured {
  /** Of the modules after gzip, in 1000 bytes. */
  readonly kilobytes: number;
  /** What the runtime's profile says a start was busy for; undefined where it could not be taken. */
  readonly startMs: number | undefined;
}

/** Measures the bundle in a folder, and how long it takes to start. */
export async function measure(
  wrangler: Wrangler,
  names: Names,
  folder: string,
): Promise<Measured> {
  const modules = readdirSync(folder).filter((name) => /\.(?:js|wasm)$/.test(name));
  const bytes = modules.map((name) => gzipSync(readFileSync(join(folder, name))).length);
  const starts: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const { printed } = await wrangler(CALLS.profile(names, join(folder, 'start.cpuprofile')));
    const [, active] = /Active:\s+([\d.]+) ms/.exec(printed) ?? [];
    if (active !== undefined) starts.push(Number(active));
  }
  return {
    kilobytes: bytes.reduce((sum, size) => sum + size, 0) / 1000,
    startMs: starts.length > 0 ? Math.min(...starts) : undefined,
  };
}

export function describeMeasured({ kilobytes, startMs }: Measured): string {
  const start = startMs === undefined ? 'was not measured' : `${startMs.toFixed(1)} ms`;
  return (
    `bundle: ${kilobytes.toFixed(1)} kB after gzip, of ${BARS.kilobytes}\n` +
    `start: ${start}, of ${BARS.startMs} (the quickest of ${STARTS}, here: profile of workerd)`
  );
}
