import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Digest } from '../../edge/contract/digest.ts';
import { Registration, VersionRecord } from '../../edge/registry/contract/model.ts';
import {
  decidePublish,
  decideRegister,
  neededFiles,
  type NewFile,
  recordOf,
  type VersionState,
} from '../../edge/registry/machine.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const LATER = '2026-11-20T11:00:00.000Z';

const base = Registration.parse({
  model_id: 'tiny',
  name: 'Tiny',
  version: '1.0.0',
  model_type: 'language',
  framework: 'spikegrid',
});
const digest = (letter: string): Digest => `sha256:${letter.repeat(64)}`;
const file = (filename: string, letter = 'a', size_bytes = 1): NewFile => ({
  filename,
  size_bytes,
  digest: digest(letter),
  content_type: 'application/octet-stream',
});

function registered(registration: Registration = base): VersionState {
  const decision = decideRegister(undefined, registration, NOW);
  if (decision.kind !== 'create') throw new Error(`not created: ${decision.kind}`);
  return decision.version;
}

function withFile(version: VersionState, added: NewFile): VersionState {
  const decision = decidePublish(version, added, LATER);
  if (decision.kind !== 'publish') throw new Error(`not published: ${decision.kind}`);
  return { ...version, files: [...version.files, decision.file], updatedAt: LATER };
}

const recordAfter = (registration: Registration, names: readonly string[]) =>
  recordOf(
    names.reduce((version, name) => withFile(version, file(name)), registered(registration)),
  );

const manifest = (names: readonly string[]) => recordAfter(base, names).manifest_digest;

describe('a registration', () => {
  it('takes the time it arrived at where it names none', () => {
    expect(recordOf(registered()).created_at).toBe(NOW);
    expect(recordOf(registered({ ...base, created_at: LATER })).created_at).toBe(LATER);
  });

  it('is the same when it is repeated, in any order of its fields', () => {
    const first = { ...base, tags: { a: '1', b: '2' }, created_at: NOW };
    const again = {
      ...Object.fromEntries(Object.entries(first).toReversed()),
      tags: { b: '2', a: '1' },
    };

    expect(decideRegister(registered(first), Registration.parse(again), LATER).kind).toBe('same');
    expect(decideRegister(registered(), base, LATER).kind).toBe('same');
  });

  it('is refused with other content, and says in which fields', () => {
    const asked = { ...base, name: 'Other', description: 'new' };

    expect(decideRegister(registered(), asked, LATER)).toEqual({
      kind: 'refuse',
      differs: ['description', 'name'],
    });
    expect(decideRegister(registered(asked), base, LATER)).toEqual({
      kind: 'refuse',
      differs: ['description', 'name'],
    });
  });

  it('makes a record of the form the contract has, whatever optional fields it holds', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 }).filter((s) => s.trim() === s);
    const optional = fc.record(
      {
        description: text,
        architecture: text,
        job_id: text,
        tags: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), text, { maxKeys: 3 }),
        model_spec: fc.record({
          model_spec_version: fc.nat(),
          model_family: text,
          architecture: text,
        }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(optional, (fields) => {
        const record = recordOf(registered(Registration.parse({ ...base, ...fields })));
        expect(VersionRecord.parse(record)).toEqual(record);
      }),
      { seed: 5 },
    );
  });
});

describe('the status of a version', () => {
  const spec = { model_spec_version: 1, model_family: 'f', architecture: 'a' };

  it.each<[string, Registration, readonly string[], string]>([
    ['no file', base, [], 'waiting for model.safetensors and config.json'],
    ['weights only', base, ['model.safetensors'], 'waiting for config.json'],
    ['weights and configuration', base, ['model.safetensors', 'config.json'], ''],
    ['more than it needs', base, ['a.txt', 'config.json', 'model.safetensors'], ''],
    [
      'a spec that names its weights',
      { ...base, model_spec: { ...spec, checkpoint_uri: 'w.bin' } },
      ['model.safetensors', 'config.json'],
      'waiting for w.bin',
    ],
    [
      'a spec that names a tokenizer',
      { ...base, model_spec: { ...spec, tokenizer_uri: 'tok.json' } },
      ['model.safetensors', 'config.json', 'tok.json'],
      '',
    ],
  ])('with %s', (_, registration, names, message) => {
    const status = message === '' ? 'READY' : 'PENDING';

    expect(recordAfter(registration, names)).toMatchObject({ status, status_message: message });
  });
});

describe('a file', () => {
  it('is added once; the same bytes again change nothing and other bytes are refused', () => {
    const version = withFile(registered(), file('a.bin', 'a'));

    expect(decidePublish(version, file('a.bin', 'a'), LATER).kind).toBe('same');
    expect(decidePublish(version, file('a.bin', 'b'), LATER)).toMatchObject({
      kind: 'immutable',
      file: { digest: digest('a') },
    });
  });

  it('must be the artifact the spec promises', () => {
    const model_spec = {
      model_spec_version: 1,
      model_family: 'f',
      architecture: 'a',
      artifact_sha256: digest('c'),
    };
    const version = registered({ ...base, model_spec });

    expect(decidePublish(version, file('model.safetensors', 'b'), LATER)).toEqual({
      kind: 'wrong-digest',
      expected: digest('c'),
    });
    expect(decidePublish(version, file('model.safetensors', 'c'), LATER).kind).toBe('publish');
    expect(decidePublish(version, file('config.json', 'b'), LATER).kind).toBe('publish');
  });

  it('is part of one digest over all files, in whatever order they came', () => {
    expect(manifest([])).toBeNull();
    expect(manifest(['a', 'b', 'c'])).toBe(manifest(['c', 'a', 'b']));
    expect(manifest(['a', 'b'])).not.toBe(manifest(['a', 'c']));
  });

  it('never changes once it is there, whatever is published after it', () => {
    const name = fc.constantFrom('model.safetensors', 'config.json', 'a.txt');
    const letter = fc.constantFrom('a', 'b', 'c');
    const attempts = fc.array(fc.record({ name, letter, size: fc.nat(9) }), { maxLength: 12 });
    fc.assert(
      fc.property(attempts, (tries) => {
        const first = new Map<string, string>();
        let version = registered();
        for (const { name: filename, letter: digit, size } of tries) {
          const candidate = file(filename, digit, size);
          if (decidePublish(version, candidate, LATER).kind === 'publish') {
            version = withFile(version, candidate);
          }
          first.set(filename, first.get(filename) ?? digest(digit));
          const record = recordOf(version);
          expect(new Map(record.files.map((f) => [f.filename, f.digest]))).toEqual(first);
          expect(record.total_size_bytes).toBe(
            record.files.reduce((sum, f) => sum + f.size_bytes, 0),
          );
          expect(record.status === 'READY').toBe(neededFiles(base).every((f) => first.has(f)));
        }
      }),
      { seed: 9 },
    );
  });
});
