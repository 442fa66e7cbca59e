import { openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openWasmBackend } from '../../engine/backends/wasm/wasm-backend.ts';
import { blobSource } from '../../engine/data/byte-source.ts';
import { openSounds, soundsWhere } from '../../engine/data/labelled-sounds.ts';
import { mfccDefaults } from '../../engine/data/mel.ts';
import { writeFileSync } from 'node:fs';
const dir = '/work/shared/data/fsdd';
const files: any[] = [];
function walk(d: string) { for (const e of readdirSync(d, { withFileTypes: true })) e.isDirectory() ? walk(join(d, e.name)) : files.push(join(d, e.name)); }
walk(dir);
const sources = await Promise.all(files.map(async (f) => blobSource(await openAsBlob(f), f)));
const backend = await openWasmBackend({ threads: 1 });
const t = performance.now();
const mel = process.argv[2] === 'logmel' ? { ...mfccDefaults, bands: 26, coefficients: undefined } : mfccDefaults;
const s = await openSounds(sources, { backend, mel: mel as any, otherStretches: [0.85, 0.9, 0.95, 1.05, 1.1, 1.15] });
console.log(s.count, s.classes, s.classNames, (performance.now() - t) / 1000);
writeFileSync(`/tmp/s12exp/${process.env.RAW ? "raw-" : ""}${process.argv[2]}.bin`, s.values);
writeFileSync(`/tmp/s12exp/${process.env.RAW ? "raw-" : ""}${process.argv[2]}.json`, JSON.stringify({ ...s, values: null, entries: s.entries.map(({ speaker, split, label }) => ({ speaker, split, label })) }, null, 0));
