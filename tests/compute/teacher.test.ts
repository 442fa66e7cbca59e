import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ONE_THREAD,
  refusalOf,
  runSpikegrid,
  temporaryFolder,
  writeNovel,
} from './spikegrid-process.ts';

const folder = temporaryFolder();
const dataset = writeNovel(folder.path, 2);
const teacher = join(folder.path, 'teacher');
const student = join(folder.path, 'student');
const tiny = ['--preset', 'tiny', '--steps', '20', '--seq-len', '32', ...ONE_THREAD];
const train = (...args: string[]) => runSpikegrid('train', '--dataset', dataset, ...args);

beforeAll(async () => {
  const output = ['--output', teacher];
  const { code, stderr } = await train(
    '--architecture',
    'standard_transformer',
    ...tiny,
    ...output,
  );
  expect(code, stderr).toBe(0);
});
afterAll(() => folder.remove());

describe('spikegrid train --teacher', () => {
  it('trains a spiking student with the loss of its teacher and records it', async () => {
    const { code, stderr } = await train(
      ...['--teacher', teacher, '--distill-weight', '0.7', '--temperature', '3'],
      ...[...tiny, '--output', student],
    );
    const { stdout } = await runSpikegrid('inspect', student, '--json');

    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      spec: { architecture: 'dense_chronospike' },
      execution: { distillation: { weight: 0.7, temperature: 3 } },
    });
  });

  it('resumes with its teacher and data without repeating the options', async () => {
    const { code, stderr } = await runSpikegrid(
      ...['train', '--resume', student, '--steps', '22', ...ONE_THREAD],
    );
    const { stdout } = await runSpikegrid('inspect', student, '--json');

    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      execution: { distillation: { weight: 0.7, temperature: 3 } },
    });
  });

  it.each<[string, string[], RegExp]>([
    ['a weight without a teacher', ['--distill-weight', '0.5'], /expected --teacher, too/],
    ['a teacher that is not there', ['--teacher', join(folder.path, 'nobody')], /nobody/],
  ])('refuses %s', async (_name, args, message) => {
    const { stderr } = await refusalOf('train', '--dataset', dataset, ...tiny, ...args);

    expect(stderr).toMatch(message);
  });
});

describe('spikegrid convert', () => {
  const convert = (model: string, ...args: string[]) =>
    runSpikegrid('convert', '--model', model, '--data', dataset, '--windows', '8', ...args);

  it('reports the loss of a transformer at each number of time steps', async () => {
    const { stdout, stderr } = await convert(teacher, '--time-steps', '2,64', '--json');

    expect(stderr).toBe('');
    const { loss, tokens, results } = JSON.parse(stdout);
    expect(tokens).toBe(8 * 32);
    expect(results).toMatchObject([{ time_steps: 2 }, { time_steps: 64 }]);
    expect(Math.abs(results[1].lost)).toBeLessThan(0.01);
    expect(results[1].loss - results[1].lost).toBeCloseTo(loss, 12);
  });

  it('refuses a model that spikes already', async () => {
    const { stderr } = await refusalOf('convert', '--model', student, '--data', dataset);

    expect(stderr).toMatch(/holds a dense_chronospike model/);
  });
});
