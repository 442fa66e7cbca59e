import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crc32c } from '../../compute/runs/event-file.ts';
import {
  ONE_THREAD,
  refusalOf,
  runHere,
  runSpikegrid,
  temporaryFolder,
  writeNovel,
} from './spikegrid-process.ts';

describe('the folder of a run of spikegrid train', () => {
  const folder = temporaryFolder();
  const at = (...names: string[]) => join(folder.path, ...names);
  const read = (...names: string[]) => readFileSync(at(...names), 'utf8');
  const parametersOf = (run: string, step: number) =>
    readFileSync(at(run, `checkpoint-0000${step}`, 'model.safetensors'));
  let dataset: string;
  const train = async (output: string, ...more: string[]) => {
    const begin = ['train', '--dataset', dataset, '--output', at(output), '--json'];
    const size = ['--preset', 'tiny', '--steps', '20', '--report-every', '5'];
    const ended = await runHere(...begin, ...size, ...ONE_THREAD, ...more);
    expect(ended.code, ended.stderr).toBe(0);
  };
  beforeAll(async () => {
    dataset = writeNovel(folder.path, 3);
    const flags = ['--preset', 'tiny', '--steps', '20', '--report-every', '5', '--seed', '3'];
    const place = ['--dataset', dataset, '--output', at('whole'), '--tensorboard'];
    const { code, stderr } = await runSpikegrid('train', ...place, ...flags, ...ONE_THREAD);
    expect(code, stderr).toBe(0);
  });
  afterAll(() => folder.remove());

  it('makes the same run again from its config, digit by digit', async () => {
    const config = ['--config', at('whole', 'config.json'), '--output', at('again')];
    const { code, stderr } = await runHere('train', ...config);
    expect(code, stderr).toBe(0);

    expect(parametersOf('again', 20).equals(parametersOf('whole', 20))).toBe(true);
    const { command: _, ...own } = JSON.parse(read('again', 'config.json')) as { command: string };
    expect(JSON.parse(read('whole', 'config.json'))).toMatchObject(own);
  });

  it('takes flags in place of what a config says, and refuses those that would mean another network', async () => {
    const config = ['train', '--config', at('whole', 'config.json')];
    const { code } = await runHere(
      ...config,
      '--output',
      at('shorter'),
      '--steps',
      '2',
      '--seed',
      '4',
    );
    expect(code).toBe(0);
    expect(JSON.parse(read('shorter', 'config.json'))).toMatchObject({
      budget: { kind: 'steps', steps: 2 },
      seed: 4,
    });

    const { stderr } = await refusalOf(...config, '--architecture', 'standard_transformer');
    expect(stderr).toContain('--architecture was given beside --config: expected one of them');
  });

  it.each([
    ['{}', 'is no config of a run: expected config.json of a folder that train wrote'],
    ['null', 'is no config of a run'],
    ['<!doctype html>', 'is no config of a run'],
    ['{"format":', 'is no config of a run'],
    ['{"format":"spikegrid.fit"}', 'is of a program that calls fit, which has its data'],
    ['{"format":"spikegrid.train","version":2}', 'version: '],
  ])('refuses the config %s', async (text, message) => {
    writeFileSync(at('wrong.json'), text);
    const { stderr } = await refusalOf('train', '--config', at('wrong.json'));
    expect(stderr).toContain(message);
  });

  it('refuses a config with a field that no family has, and one that the family checks', async () => {
    const config = JSON.parse(read('whole', 'config.json')) as { fields: object };
    const refusal = async (fields: object) => {
      const text = JSON.stringify({ ...config, fields: { ...config.fields, ...fields } });
      writeFileSync(at('wrong.json'), text);
      return (await refusalOf('train', '--config', at('wrong.json'))).stderr;
    };
    expect(await refusal({ __proto: 1 })).toContain('there is no field "__proto"');
    expect(await refusal({ d_model: -3 })).toContain('d_model is -3');
  });

  it('has a line for each report, once, also where it was resumed after a crash', async () => {
    await train('resumed', '--seed', '3', '--steps', '20');
    // A process that is killed leaves lines of steps that no checkpoint knows, and half of one.
    appendFileSync(at('resumed', 'metrics.jsonl'), '{"kind":"train","step":99}\n{"kind":"tr');
    const { code } = await runHere(
      'train',
      '--resume',
      at('resumed'),
      '--steps',
      '30',
      ...ONE_THREAD,
    );
    expect(code).toBe(0);

    const lines = read('resumed', 'metrics.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const keys = lines.map(({ kind, step }) => `${kind} ${step}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain('train 99');
    expect(lines.at(-1)).toMatchObject({
      ...{ kind: 'validation', step: 30, val_loss: expect.any(Number) },
      ...{ spike_rate: expect.any(Number), time: expect.any(String) },
    });
    expect(JSON.parse(read('resumed', 'config.json'))).toMatchObject({
      budget: { kind: 'steps', steps: 20 },
      resumed: [{ step: 20, budget: { kind: 'steps', steps: 30 } }],
    });
  });

  it('has a report that needs nothing else, with curves, spikes, a sample and digests', () => {
    const report = read('whole', 'report.html');
    const config = JSON.parse(read('whole', 'config.json')) as { command: string };

    expect(report).not.toMatch(
      /<script|<link|<img|<iframe|@import|url\(|https?:\/\/(?!www\.w3\.org\/2000\/svg")/,
    );
    expect(report).toContain("default-src 'none'");
    expect(report).toContain('<title>loss</title>');
    expect(report).toMatch(/<path d="M[\d. ]+L[^"]+" fill="none" stroke="#[0-9a-f]{6}"/);
    expect(report).toContain('<title>blocks.0.in1: spikes</title>');
    for (const title of ['Command', 'Results', 'Firing rates', 'Sample', 'Digests (SHA-256)']) {
      expect(report).toContain(`<h2>${title}</h2>`);
    }
    expect(report).toMatch(/model\.safetensors<\/th><td>[0-9a-f]{64}</);
    expect(config.command).toMatch(/^spikegrid train --dataset \S+moby-dick.txt .*--seed 3/);
    expect(report).toContain(config.command);
  });

  it('leaves no file half written', () => {
    expect(readdirSync(at('whole')).toSorted()).toEqual([
      'best.json',
      'checkpoint-000015',
      'checkpoint-000020',
      'config.json',
      'events.out.tfevents.spikegrid',
      'metrics.jsonl',
      'report.html',
      'run.json',
    ]);
    expect(existsSync(at('again', 'events.out.tfevents.spikegrid'))).toBe(false);
  });

  it('has the metrics as records of TensorBoard, each with its checksums', () => {
    const file = readFileSync(at('whole', 'events.out.tfevents.spikegrid'));
    const lines = read('whole', 'metrics.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const records = recordsOf(file);
    // Of RFC 3720, B.4, and of @roboflow/tfrecords 1.0.4, which writes the same bytes of the same records.
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);

    expect(eventOf(records[0]!)).toMatchObject({ version: 'brain.Event:2' });
    const events = records.slice(1).map(eventOf);
    expect(events.map(({ step }) => step)).toEqual(lines.map(({ step }) => step));
    const losses = lines.map(({ loss, val_loss }) => Math.fround(loss ?? val_loss));
    expect(
      events.map(({ values }) => values['train/loss'] ?? values['validation/val_loss']),
    ).toEqual(losses);
  });
});

/** The records of a file whose checksums are right. */
function recordsOf(file: Buffer): Buffer[] {
  const records: Buffer[] = [];
  const masked = (bytes: Buffer) => {
    const crc = crc32c(bytes);
    return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  };
  for (let at = 0; at < file.length;) {
    const end = at + 12 + Number(file.readBigUInt64LE(at));
    expect(file.readUInt32LE(at + 8)).toBe(masked(file.subarray(at, at + 8)));
    expect(file.readUInt32LE(end)).toBe(masked(file.subarray(at + 12, end)));
    records.push(file.subarray(at + 12, end));
    at = end + 4;
  }
  return records;
}

/** An event as a reader of protocol buffers sees it that is not ours. */
function eventOf(record: Uint8Array) {
  const event = { step: 0, version: '', values: {} as Record<string, number> };
  const reader = new BinaryReader(record);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 2) event.step = Number(reader.int64());
    else if (field === 3) event.version = reader.string();
    else if (field === 5) event.values = summaryOf(reader.bytes());
    else reader.skip(type);
  }
  return event;
}

function summaryOf(bytes: Uint8Array): Record<string, number> {
  const values: Record<string, number> = {};
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    reader.tag();
    const value = new BinaryReader(reader.bytes());
    value.tag();
    const name = value.string();
    value.tag();
    values[name] = value.float();
  }
  return values;
}
