import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { EXIT_CODES, STOP_SIGNALS } from '../../compute/process/stop-signals.ts';
import { registrationOf, unpackTraining } from '../../engine/index.ts';
import type { Stage } from './gateway-stage.ts';
import { type ModelSize, untrainedFiles } from './untrained-model.ts';

const cli = fileURLToPath(new URL('../../dist/node/spikegrid.js', import.meta.url));

/** An inference server as a process of its own. */
export interface InferenceProcess {
  readonly url: string;
  /** Processor time that it used so far, in milliseconds. */
  processorMs(): number;
  end(): Promise<void>;
}

/** Puts an untrained model into the registry. */
export async function registerUntrained(
  { url }: Stage,
  id: string,
  size: ModelSize,
): Promise<void> {
  const registry = createRegistryClient({ base: `${url.origin}/registry` });
  const files = untrainedFiles(size);
  const record = registrationOf(unpackTraining(files), { id, version: '1.0.0', name: id });
  await registry.register(record);
  for (const [filename, bytes] of files) {
    const body = bytes as Uint8Array<ArrayBuffer>;
    await registry.upload({ modelId: id, version: '1.0.0', filename, body });
  }
}

/** Starts `spikegrid serve` and loads a model. */
export async function startServing(
  { url: gateway }: Stage,
  model: string,
  options: readonly string[],
): Promise<InferenceProcess> {
  const at = ['--gateway', gateway.origin, '--host', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, [cli, 'serve', ...at, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Who ends the measurement in the middle ends this, too.
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      child.kill('SIGKILL');
      process.exit(EXIT_CODES[signal]);
    });
  }
  const url = await addressOf(child);
  const loaded = await fetch(`${url}/load_model/${model}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"pin":true}',
  });
  if (!loaded.ok) throw new Error(await loaded.text());
  return {
    url,
    processorMs: () => processorMs(child.pid ?? 0),
    async end() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!stderr) return;
    const lines = createInterface({ input: stderr });
    lines.on('line', (line) => {
      const [, address] = / at (http:\S+) on /.exec(line) ?? [];
      if (address !== undefined) resolve(address);
    });
    lines.on('close', () => reject(new Error('the server ended before it listened')));
  });
}

/** Linux counts in hundredths of a second. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
