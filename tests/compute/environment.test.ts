import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openNodeDevice } from '../../compute/cli/open-device.ts';
import { loadProgram } from '../../compute/cli/program.ts';
import { Scope } from '../../edge/contract/scope.ts';
import { deviceFlagsOf, type TrainerOptions, trainerOptions } from '../../compute/cli/trainer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

afterEach(() => vi.unstubAllEnvs());

/** The flags of the device that a trainer or a training server of these arguments hands to its jobs. */
function deviceOf(...args: string[]) {
  const command = trainerOptions(new Command()).parse(['--data', 'd', ...args], { from: 'user' });
  return deviceFlagsOf(command.opts<TrainerOptions>());
}

describe('DEVICE of a trainer', () => {
  const threads = Math.min(4, availableParallelism());

  it.each([
    [undefined, [], { device: 'wasm', threads }],
    ['cpu', [], { device: 'wasm', threads }],
    ['gpu', [], { device: 'webgpu' }],
    ['auto', [], { device: 'auto' }],
    ['auto', ['--device', 'cpu'], { device: 'wasm', threads }],
    ['cpu', ['--device', 'webgpu'], { device: 'webgpu' }],
    [undefined, ['--gpu'], { device: 'auto', gpu: true }],
    [undefined, ['--threads', '1'], { device: 'wasm', threads: 1 }],
  ])('%s with %j is %j', (variable, args, flags) => {
    vi.stubEnv('DEVICE', variable);

    expect(deviceOf(...args)).toEqual(flags);
  });

  it('is computed on with SERVICE_WORKERS threads, of which there are no more than processors', () => {
    vi.spyOn(console, 'error').mockReturnValue();
    vi.stubEnv('SERVICE_WORKERS', '1');
    expect(deviceOf()).toEqual({ device: 'wasm', threads: 1 });
    vi.stubEnv('SERVICE_WORKERS', '1000');
    expect(deviceOf()).toEqual({ device: 'wasm', threads: availableParallelism() });
    expect(console.error).toHaveBeenCalledWith(expect.stringContaining('1000 workers were asked'));
    vi.stubEnv('SERVICE_WORKERS', '0');
    const command = trainerOptions(new Command())
      .exitOverride()
      .configureOutput({ writeErr() {} });
    expect(() => command.parse(['--data', 'd'], { from: 'user' })).toThrow(/got "0", expected/);
    vi.restoreAllMocks();
  });
});

describe('flags of a device', () => {
  it.each([
    [{ threads: 2 }, 'WASM SIMD on the processor (2 threads)'],
    [{ threads: 1, deterministic: true }, 'WASM SIMD on the processor (1 thread)'],
  ])('%j mean WASM where the device is auto', async (flags, label) => {
    const backend = await openNodeDevice({ device: 'auto', ...flags });

    expect(backend.device.label).toBe(label);
    expect(backend.device.features.includes('plain')).toBe('deterministic' in flags);
    backend.close();
  });

  it.each([
    [{ device: 'webgpu', threads: 2 }, '--threads 2 is for WASM and --device webgpu is not'],
    [{ device: 'reference', deterministic: true }, '--deterministic is for WASM and --device'],
    [{ device: 'auto', gpu: true, deterministic: true }, '--deterministic is for WASM and --gpu'],
    [{ device: 'auto', f16: true, threads: 1 }, '--threads 1 is for WASM and --f16 is not'],
  ])('%j are refused', async (flags, message) => {
    await expect(openNodeDevice(flags)).rejects.toThrow(message);
  });
});

describe('docs/design/environment.md', () => {
  const table = readFileSync(join(root, 'docs/design/environment.md'), 'utf8');

  it('names every variable that the commands, services and the launcher read', () => {
    const read = new Set<string>();
    const sources = readdirSync(join(root, 'compute'), { recursive: true, encoding: 'utf8' });
    for (const path of sources.filter((name) => name.endsWith('.ts'))) {
      const text = readFileSync(join(root, 'compute', path), 'utf8');
      for (const [, name] of text.matchAll(/(?:env\(|env\[|Option\([^)]*)'([A-Z][A-Z_]{4,})'/g)) {
        read.add(name!);
      }
      // A secret may lie in a file instead.
      for (const [, name] of text.matchAll(/secretOf\([^)]*'([A-Z][A-Z_]{4,})'/g)) {
        read.add(name!).add(`${name}_FILE`);
      }
      for (const [, names] of text.matchAll(/\{([^{}]*)\} = (?:process\.)?env\b/g)) {
        for (const [name] of names!.matchAll(/\b[A-Z][A-Z_]{4,}\b/g)) read.add(name);
      }
    }
    // Of the desktop and of Vite, not ours.
    const foreign = ['DISPLAY', 'WAYLAND_DISPLAY', 'LD_LIBRARY_PATH', 'NODE_ENV'];
    for (const name of foreign) read.delete(name);

    expect([...read]).toEqual(expect.arrayContaining(['SERVICE_WORKERS', 'SPIKEGRID_KEY_FILE']));
    expect([...read].filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ['trainer', ['DEVICE', 'SERVICE_WORKERS']],
    ['training-server', ['DEVICE', 'SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_WORKERS', 'AUTH_MODE']],
    ['serve', ['DEVICE', 'SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_WORKERS', 'MODEL_CACHE_SIZE']],
    ['plugin-host', ['DEVICE', 'SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_WORKERS', 'AUTH_MODE']],
    ['node', ['DEVICE', 'MQTT_URL']],
    ['discovery', ['SERVICE_HOST', 'SERVICE_PORT', 'AUTH_MODE', 'MQTT_URL']],
    ['test-host', ['SERVICE_HOST', 'SERVICE_PORT', 'AUTH_MODE', 'TEST_TIME_LIMIT']],
  ])('says what %s reads', async (name, variables) => {
    const command = (await loadProgram(name)).commands.find((one) => one.name() === name)!;
    const read = command.options.flatMap(({ envVar }) => (envVar === undefined ? [] : [envVar]));

    expect(read).toEqual(expect.arrayContaining(variables));
  });
});

describe('SECURITY.md', () => {
  const text = readFileSync(join(root, 'SECURITY.md'), 'utf8');

  it('has a row for each scope, and stays short', () => {
    const rows = [...text.matchAll(/^\| `([a-z]+(?::[a-z]+)?)` +\|/gm)].map(([, scope]) => scope);

    expect(rows).toEqual(expect.arrayContaining([...Scope.options]));
    expect(text.split('\n').length).toBeLessThanOrEqual(150);
  });

  it('leads to pages that are there', () => {
    const paths = [...text.matchAll(/\]\((docs\/[^)]+)\)|`((?:docs|tests|deploy)\/[^`]+)`/g)];

    const missing = paths
      .map(([, link, code]) => link ?? code!)
      .filter((path) => !existsSync(join(root, path)));

    expect(missing).toEqual([]);
  });
});
