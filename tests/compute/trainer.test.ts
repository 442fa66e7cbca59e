import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { createRegistryClient } from '../../edge/registry/contract/client.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import type { JobRecord } from '../../edge/training/contract/job.ts';
import { refusalOf, runHere, runSpikegrid } from './spikegrid-process.ts';
import { isOver, startTrainingPlatform, type TrainingPlatform } from './training-platform.ts';
import type { TrainerProcess } from './trainer-process.ts';

let platform: TrainingPlatform;
let trainer: TrainerProcess;
beforeAll(async () => {
  platform = await startTrainingPlatform();
  // A trainer looks through its data root every few seconds: what it finds at first is not waited for.
  writePictures(join(platform.data, 'pictures'));
  const lines = readFileSync(join(platform.data, 'moby-dick.txt'), 'utf8').split('\n');
  const jsonl = lines.map((text) => JSON.stringify({ text })).join('\n');
  writeFileSync(join(platform.data, 'lines.jsonl'), jsonl);
  trainer = platform.trainer('ahab');
});
afterAll(() => platform.end());

/** Pictures of 4 x 4 pixels in three shades, as IDX files: 40 to learn from and 10 others. */
function writePictures(folder: string) {
  mkdirSync(folder);
  for (const [part, count] of Object.entries({ train: 40, t10k: 10 })) {
    const pixels = Uint8Array.from({ length: 16 * count }, (_, i) => 80 * (Math.floor(i / 16) % 3));
    const labels = Uint8Array.from({ length: count }, (_, i) => i % 3);
    const images = [0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, 4, 0, 0, 0, 4, ...pixels];
    const classes = [0, 0, 8, 1, 0, 0, 0, count, ...labels];
    writeFileSync(join(folder, `${part}-images-idx3-ubyte`), Uint8Array.from(images));
    writeFileSync(join(folder, `${part}-labels-idx1-ubyte`), Uint8Array.from(classes));
  }
}

const here = (...args: string[]) => runHere(...args, '--gateway', platform.gateway);

describe('a trainer', () => {
  it('rule 3: trains what a file here holds, stores all of the model, and it answers', async () => {
    const file = join(platform.data, 'moby-dick.txt');

    const { code, stdout, stderr } = await here(
      ...['jobs', 'submit', '--dataset', file, '--name', 'whale', '--d-model', '32'],
      ...['--seq-len', '32', '--steps', '60', '--wait'],
    );

    expect(code, stderr).toBe(0);
    expect(stderr).toContain('whale 1.0.0 is registered');
    const job = await platform.job(stdout.trim());
    expect(job).toMatchObject({ status: 'succeeded', progress: { step: 60, percent: 100 } });
    // Defaults for omitted values, the source of each, and the progress of the result (ruling A17).
    expect(job.controls).toMatchObject({
      learning_rate: {
        value: job.learning_rate,
        reason: expect.stringContaining('recipe tiny'),
      },
    });
    expect(job.effective?.['controls']).toMatchObject({
      chosen: { ...job.controls, beta2: { value: 0.99 } },
    });
    // By tables of up to 6 tokens. Of floors that are beaten, the hardest is named.
    expect(job.verdict).toMatchObject({ floor: { name: '5-gram' }, is_beaten: true });
    expect(job.dataset_path).toMatch(/^datasets\/moby-dick-[0-9a-f]{8}\.txt$/);
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    const version = await registry.getModel({ params: { id: 'whale' } });
    expect(version).toMatchObject({
      status: 'READY',
      job_id: job.job_id,
      model_spec: { architecture: 'dense_chronospike', d_model: 32 },
    });
    expect(version.files.map(({ filename }) => filename)).toEqual(
      expect.arrayContaining([
        ...['model.safetensors', 'config.json', 'tokenizer.json', 'model_spec.json'],
      ]),
    );
    expect(version.manifest_digest).toBe(job.model?.digest);
    const written = await here('generate', '--model', 'whale', '--tokens', '20', '--json');
    expect(written.code, written.stderr).toBe(0);
    expect([...JSON.parse(written.stdout).text]).toHaveLength(20);
  });

  it('rule 2: gives a second result of one name and structure a version of its own', async () => {
    const first = await platform.submit({ model_name: 'twice', config: { steps: 20 } });
    const second = await platform.submit({ model_name: 'twice', config: { steps: 20 } });

    const jobs = [
      await platform.until(first.job_id, isOver),
      await platform.until(second.job_id, isOver),
    ];

    expect(jobs.map(({ model }) => model?.version).toSorted()).toEqual(['1.0.0', '1.1.0']);
    expect(await platform.resultOf(jobs[0]!)).toMatchObject({
      'model.safetensors': (await platform.resultOf(jobs[1]!))['model.safetensors'],
    });
  });

  it('goes on from a model of the registry, and says so in its lineage', async () => {
    const base = await platform.submit({ model_name: 'base', config: { steps: 20 } });
    await platform.until(base.job_id, isOver);

    const job = await platform.submit({
      model_name: 'continued',
      base_model: { model_id: 'base' },
      config: { steps: 20 },
    });
    const ended = await platform.until(job.job_id, isOver);

    expect(ended.error).toBeNull();
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    expect(await registry.getModel({ params: { id: 'continued' } })).toMatchObject({
      parent_model_id: 'base',
      parent_version: '1.0.0',
      model_spec_digest: expect.stringMatching(/^sha256:/),
    });
    expect(ended.base_model).toEqual({ model_id: 'base', version: '1.0.0' });

    // Only a trainer knows what is in its own files: it is found before the first step.
    writeFileSync(join(platform.data, 'greek.txt'), 'αβγδεζηθικλμνξοπ '.repeat(200));
    const foreign = await platform.submit({
      base_model: { model_id: 'base' },
      dataset_path: 'greek.txt',
      config: { steps: 20 },
    });
    const failed = await platform.until(foreign.job_id, isOver);
    expect(failed.error).toMatchObject({
      code: 'base_model_mismatch',
      mismatches: [{ aspect: 'vocabulary', field: '/dataset_path' }],
    });
    expect(failed.progress.step).toBe(0);
  });

  it('ruling A16: replaces the default version only on request', async () => {
    const config = { steps: 5 };
    const run = async (set_default: boolean) => {
      const { job_id } = await platform.submit({ output_name: 'settled', config, set_default });
      return (await platform.until(job_id, isOver)).model?.version;
    };
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });

    expect([await run(false), await run(false)]).toEqual(['1.0.0', '1.1.0']);
    expect((await registry.getModel({ params: { id: 'settled' } })).version).toBe('1.0.0');
    expect(await run(true)).toBe('1.2.0');
    expect((await registry.getModel({ params: { id: 'settled' } })).version).toBe('1.2.0');
  });

  it('rule 11: makes tones up for a job that names no data', async () => {
    const { code, stderr } = await here(
      ...['jobs', 'submit', '--architecture', 'spiking_audio', '--synthetic', '--steps', '4'],
      ...['--output-neurons', '3', '--name', 'tones', '--wait'],
    );

    expect(code, stderr).toBe(0);
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    const { model_spec } = await registry.getModel({ params: { id: 'tones' } });
    expect(model_spec).toMatchObject({ output_neurons: 3 });
  });

  it('ruling A17: records in config.json what was left out, with its reason', async () => {
    const { job_id } = await platform.submit({ output_name: 'reasons', config: { steps: 5 } });
    const job = await platform.until(job_id, isOver);
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    const address = { modelId: 'reasons', version: '1.0.0', filename: 'config.json' };
    const config = JSON.parse(new TextDecoder().decode(await registry.download(address)));

    const { submitted, effective, controls } = config.training_execution;
    expect(submitted).not.toHaveProperty('neuron_type');
    expect(effective).toMatchObject({ ...submitted, neuron_type: 'LIF' });
    // Controls of the recipe as well, which are no fields of the request.
    const own = (value: number) => ({ value, reason: expect.stringContaining('recipe tiny') });
    expect(controls.chosen).toEqual({ ...job.controls, beta2: own(0.99), average: own(0.05) });
    expect(job.effective).toMatchObject({
      ...{ neuron_type: 'LIF', batch_size: 8, learning_rate: job.learning_rate },
      controls,
    });
  });

  it('stores a copy of a result on request', async () => {
    const job = await platform.submit({ output_dir: 'kept/here', config: { steps: 10 } });
    await platform.until(job.job_id, isOver);

    const { code, stdout } = await runSpikegrid(
      ...['inspect', join(platform.folder, 'ahab/kept/here'), '--json'],
    );

    expect(code).toBe(0);
    expect(JSON.parse(stdout).state.step).toBe(10);
    const lines = readFileSync(join(platform.folder, 'ahab/kept/here/metrics.jsonl'), 'utf8');
    const kinds = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(kinds.filter(({ kind }) => kind === 'validation').at(-1)).toMatchObject({ step: 10 });
    expect(kinds.filter(({ kind }) => kind === 'train').at(-1)).toMatchObject({ step: 10 });
  });

  it('keeps what only private training needs out of the registry, and says so', async () => {
    const training = openHttp({ base: `${platform.gateway}/training` });
    const config = { steps: 3, batch_size: 10, model_variant: 'mlp', output_dim: 3 } as const;
    const { body: job } = await callEndpoint(training, jobEndpoints.train, {
      body: {
        ...{ model_type: 'spiking_vision', model_name: 'discreet' },
        ...{ dataset_path: 'pictures', output_dir: 'kept/private' },
        config: { ...config, privacy_level: 'low' },
      },
    });
    const ended = await platform.until(job.job_id, isOver);
    const kept = join(platform.folder, 'ahab/kept/private');
    const pushed = await here('models', 'push', kept, '--id', 'pushed');

    expect(ended.error).toBeNull();
    const events = await callEndpoint(training, jobEndpoints.listEvents, {
      params: { id: job.job_id },
    });
    const said =
      'trained privately: optimizer.safetensors, training_state.json stay out of the registry';
    expect(events.body.events.map(({ message }) => message)).toContain(said);
    expect(pushed.code, pushed.stderr).toBe(0);
    expect(pushed.stderr).toContain(said);
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    for (const id of ['discreet', 'pushed']) {
      const { files, status } = await registry.getModel({ params: { id } });
      expect(status).toBe('READY');
      expect(files.map(({ filename }) => filename).toSorted()).toEqual([
        'config.json',
        'manifest.json',
        'model.safetensors',
        'model_spec.json',
      ]);
    }
  });

  it('names the line of a JSONL file that is malformed', async () => {
    const file = join(platform.folder, 'no-text.jsonl');
    writeFileSync(file, '{"text": "Call me"}\n\n{"words": 1}\n');

    const { code, stderr } = await here('jobs', 'submit', '--dataset', file, '--wait');

    expect(code).toBe(1);
    expect(stderr).toContain('dataset_invalid');
    expect(stderr).toContain('line 3: it has neither "text"');
  });

  it('learns from the texts of a JSONL file', async () => {
    const config = { steps: 30 };
    const [a, b] = await Promise.all(
      ['lines.jsonl', 'moby-dick.txt'].map(async (dataset_path) => {
        const model_name = `from-${dataset_path.slice(0, 5)}`;
        const { job_id } = await platform.submit({ dataset_path, model_name, config });
        const job = await platform.until(job_id, isOver);
        expect(job.error).toBeNull();
        return job;
      }),
    );

    const weightsOf = async (job: JobRecord) => (await platform.resultOf(job))['model.safetensors'];
    expect(await weightsOf(a!)).toBe(await weightsOf(b!));
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    const [lines, text] = [
      await registry.getModel({ params: { id: 'from-lines' } }),
      await registry.getModel({ params: { id: 'from-moby-' } }),
    ];
    expect(lines.dataset_digest).not.toBe(text.dataset_digest);
  });

  it('trains streams of captions and image codes', async () => {
    const folder = join(platform.folder, 'greys');
    mkdirSync(folder);
    const captions = Array.from({ length: 20 }, (_, i) => (i % 2 ? 'light' : 'dark'));
    const lines = captions.map((caption) => JSON.stringify({ caption }));
    writeFileSync(join(folder, 'captions.jsonl'), lines.join('\n'));
    const header = [0, 0, 8, 3, 0, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0, 1];
    const pixels = captions.map((caption) => (caption === 'light' ? 200 : 20));
    writeFileSync(join(folder, 'images-idx3-ubyte'), Uint8Array.from([...header, ...pixels]));

    const { code, stderr } = await here(
      ...['jobs', 'submit', '--dataset', folder, '--architecture', 'memoried_spikenetlm'],
      ...['--preset', 'tiny', '--steps', '8', '--name', 'greys', '--wait'],
    );

    expect(code, stderr).toBe(0);
    const registry = createRegistryClient({ base: `${platform.gateway}/registry` });
    expect(await registry.getModel({ params: { id: 'greys' } })).toMatchObject({
      model_type: 'MultiModal',
      model_spec: { architecture: 'memoried_spikenetlm', core: { image: { codes: 64 } } },
    });
  });

  it('says why it cannot train on a text that is too short', async () => {
    writeFileSync(join(platform.folder, 'short.txt'), 'Call me Ishmael.');

    const { code, stderr } = await here(
      ...['jobs', 'submit', '--dataset', join(platform.folder, 'short.txt'), '--wait'],
    );

    expect(code).toBe(1);
    expect(stderr).toMatch(/dataset_invalid: .*short.* has 16 characters/);
    expect(stderr).not.toContain(platform.folder);
  });

  it('refuses a base model whose structure is another one, naming both values', async () => {
    const base = await platform.submit({ model_name: 'narrow', config: { steps: 10 } });
    await platform.until(base.job_id, isOver);

    const { stderr } = await refusalOf(
      ...['jobs', 'submit', '--dataset', 'moby-dick.txt', '--base', 'narrow', '--d-model', '64'],
      ...['--gateway', platform.gateway],
    );

    expect(stderr).toContain('base model does not match');
  });

  it('cancels a job with a last checkpoint, and says so with its exit code', async () => {
    const job = await platform.submit({ config: { steps: 100_000 } });
    await platform.until(job.job_id, ({ progress }) => progress.step > 0);
    const watched = runSpikegrid('jobs', 'watch', job.job_id, '--gateway', platform.gateway);

    const asked = await here('jobs', 'cancel', job.job_id);
    const { code, stderr } = await watched;

    expect(asked.stderr).toMatch(/is cancell(?:ing|ed)/);
    expect(code, stderr).toBe(2);
    const cancelled = await platform.job(job.job_id);
    expect(cancelled.status).toBe('cancelled');
    expect(cancelled.checkpoints[0]?.step).toBe(cancelled.progress.step);
  });

  it('announces what lies below its data root, and nothing that leads out of it', async () => {
    mkdirSync(join(platform.data, 'more'));
    writeFileSync(join(platform.data, 'more/b.txt'), 'b');
    symlinkSync('/etc', join(platform.data, 'outside'));

    const waiting = await platform.submit({ dataset_path: 'outside/passwd' });

    expect((await platform.job(waiting.job_id)).status_reason).toContain('outside/passwd');
    await expect(platform.submit({ dataset_path: '../etc/passwd' })).rejects.toThrow(/not safe/);
    await platform.cancel(waiting.job_id);
  });

  it('outlives the process of a job that crashes, and takes the next', async () => {
    const job = await platform.submit({ config: { steps: 100_000 } });
    await platform.until(job.job_id, ({ progress }) => progress.step > 0);

    process.kill(trainer.jobPid()!, 'SIGSEGV');
    const failed = await platform.until(job.job_id, isOver);

    expect(failed.error).toMatchObject({ code: 'runtime_error' });
    expect(failed.error?.message).toContain('SIGSEGV');
    const next = await platform.submit({ config: { steps: 10 } });
    expect(await platform.until(next.job_id, isOver)).toMatchObject({ status: 'succeeded' });
  });
});
