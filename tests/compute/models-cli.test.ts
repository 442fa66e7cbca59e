import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InferResponse } from '../../edge/inference/contract/infer.ts';
import { parseReport } from '../../engine/index.ts';
import { greyPng, pixelsOf, trainedClasses } from './class-models.ts';
import {
  eventually,
  type InferencePlatform,
  startInferencePlatform,
} from './inference-platform.ts';
import { killLaunchers, type Launcher, makeFolders, startLauncher } from './launcher-process.ts';
import { refusalOf, runHere, runSpikegrid, startSpikegrid } from './spikegrid-process.ts';

let launcher: Launcher;
let platform: InferencePlatform;
beforeAll(async () => {
  const folders = { ...makeFolders(), inference: true as const };
  launcher = await startLauncher(folders);
  const folder = join(folders.state, '..');
  const end = async () => {
    killLaunchers();
    rmSync(folder, { recursive: true, force: true });
  };
  platform = await startInferencePlatform({ gateway: launcher.gateway, folder, end });
});
afterAll(() => platform.end());

const at = () => ['--gateway', platform.gateway];

describe('spikegrid models', () => {
  it('puts a checkpoint into the registry under an alias, lists it, and gets it out', async () => {
    const push = await runSpikegrid(
      ...['models', 'push', platform.run, ...at(), '--id', 'fox', '--alias', 'best'],
    );
    const list = await runSpikegrid('models', 'list', ...at());
    const output = join(platform.run, '../pulled');
    const pull = await runSpikegrid(
      ...['models', 'pull', 'fox', ...at(), '--alias', 'best', '--output', output],
    );

    expect(push.stdout, push.stderr).toBe('fox 1.0.0 is registered\n');
    expect(push.stderr).toContain('best means 1.0.0 now');
    expect(list.stdout).toMatch(/^fox@1\.0\.0 {2}READY {2}\d+ bytes {2}best$/m);
    expect(pull.stdout, pull.stderr).toBe(`fox@1.0.0 is in ${output}\n`);
    for (const [name, bytes] of platform.files) {
      expect(Buffer.compare(readFileSync(join(output, name)), bytes), name).toBe(0);
    }
  });

  it('judges a version by the name that an alias gives it', async () => {
    const data = join(platform.run, '../judged.txt');
    writeFileSync(data, 'the fox '.repeat(20));
    const args = ['evaluate', '--model', 'fox@best', '--data', data, '--split', 'all', '--json'];
    const { code, stdout, stderr } = await runSpikegrid(...args, ...at(), '--device', 'wasm');

    expect(code, stderr).toBe(0);
    const report = parseReport('stdout', stdout);
    expect(report).toMatchObject({ total: 159, model: { name: 'fox@best' } });
    const weights = platform.files.get('model.safetensors')!;
    expect(report.model.artifact_sha256).toBe(hash('sha256', weights));
  });

  it('writes over nothing', async () => {
    const pull = await refusalOf('models', 'pull', 'fox', ...at(), '--output', platform.run);

    expect(pull.stderr).toBe(`spikegrid: --output is ${platform.run}, which is not empty\n`);
  });
});

describe('spikegrid serve', () => {
  it.each([
    ['--port', 'x', /got "x", expected a whole number from 0 to 65535/],
    ['--workers', '0', /got "0", expected a whole number from 1 to 1024/],
    ['--device', 'tpu', /unknown device "tpu"/],
    ['--auth', 'none', /Allowed choices are local, required/],
  ])('refuses %s %s', async (option, value, message) => {
    const { stderr } = await refusalOf('serve', ...at(), option, value);

    expect(stderr).toMatch(message);
  });
});

describe('spikegrid infer', () => {
  it('queries through the gateway of a platform that serves inference itself', async () => {
    await platform.register('vixen');
    // It starts beside the gateway, which finds it by and by.
    await eventually(async () =>
      expect((await fetch(`${launcher.gateway}/inference/health`)).status).toBe(200),
    );
    const ask = ['infer', ...at(), '--model', 'vixen@1.0.0', '--prompt', 'the ', '--seed', '3'];

    const whole = await runSpikegrid(...ask, '--tokens', '20');
    const streamed = await runHere(...ask, '--tokens', '20', '--stream');
    const json = await runHere(...ask, '--tokens', '20', '--json');
    const unknown = await runHere(...ask, '--prompt', 'Ω');
    const told = await askAboutPicture();
    const running = startSpikegrid([...ask, '--tokens', '10000', '--stream']);
    await running.until(/the /);
    launcher.process.kill('SIGTERM');

    expect(whole.stdout, whole.stderr).toMatch(/^the /);
    expect(streamed.stdout).toBe(whole.stdout);
    expect(`the ${InferResponse.parse(JSON.parse(json.stdout)).outputs.text}\n`).toBe(whole.stdout);
    expect(told.stdout, told.stderr).toMatch(/^ *\d+\.\d % {2}1\n *\d+\.\d % {2}0\n$/);
    expect(told.stderr).toMatch(/told by halves@1.0.0 in \d+ ms; \d+ spikes/);
    expect(unknown.stderr).toMatch(/"Ω" \(U\+03A9\) at position 0/);
    expect(await launcher.ended()).toBe(0);
    expect(launcher.alive()).toEqual([]);
    // Whole where the machine was fast enough to end it in the time it is given, else told that it was cut off.
    const { code, stderr } = await running.ended;
    expect(`${code} ${stderr}`).toMatch(/^(?:0 |1 spikegrid: )/);
  });
});

/** Registers a model of pictures and has it tell one, whose lower half is bright. */
async function askAboutPicture() {
  await platform.register('halves', '1.0.0', await trainedClasses('spiking_vision'));
  const image = join(platform.run, '../half.png');
  writeFileSync(image, greyPng(6, 6, pixelsOf(1, 3)));
  return runHere('infer', ...at(), '--model', 'halves@1.0.0', '--image', image);
}
