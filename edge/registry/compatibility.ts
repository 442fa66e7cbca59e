import type {
  Compatibility,
  CompatibilityAspect,
  CompatibilityRequest,
  Mismatch,
} from './contract/compatibility.ts';
import type { Digest } from '../contract/digest.ts';
import type { ModelSpec, VersionRecord } from './contract/model.ts';

/** Fields about the location and origin of files, which are no part of the structure. */
const PROVENANCE: ReadonlySet<string> = new Set([
  'checkpoint_uri',
  'config_uri',
  'tokenizer_uri',
  'parent_model_id',
  'training_job_id',
]);

const VOCABULARY: ReadonlySet<string> = new Set([
  'vocab_size',
  'vocabulary',
  'vocabulary_digest',
  'vocabulary_sha256',
]);

type Finding = Omit<Mismatch, 'aspect'>;

/**
 * Compares a version with the base that a training would continue from (platform.md, rule 4): given fields
 * must be identical, and a field that one side lacks is a difference.
 */
export function compare(base: VersionRecord, requested: CompatibilityRequest): Compatibility {
  const checked = new Set<CompatibilityAspect>();
  const mismatches: Mismatch[] = [];
  const add = (aspect: CompatibilityAspect, findings: readonly Finding[]) => {
    checked.add(aspect);
    mismatches.push(...findings.map((finding) => ({ aspect, ...finding })));
  };
  if (requested.model_spec) compareSpecs(base.model_spec, requested.model_spec, add);
  for (const [aspect, field, expected] of digestsOf(base)) {
    const actual = requested[field];
    if (actual !== undefined) add(aspect, differing(`/${field}`, expected, actual));
  }
  const artifact = requested.model_spec?.artifact_sha256;
  if (artifact !== undefined) {
    add('artifact', differing('/model_spec/artifact_sha256', artifactDigest(base), artifact));
  }
  return {
    model_id: base.model_id,
    version: base.version,
    compatible: mismatches.length === 0,
    checked: [...checked],
    mismatches,
  };
}

type Add = (aspect: CompatibilityAspect, findings: readonly Finding[]) => void;

function compareSpecs(base: ModelSpec | null, requested: ModelSpec, add: Add): void {
  add('structure', []);
  if (base === null) return add('structure', differing('/model_spec', null, requested));
  for (const name of new Set([...Object.keys(base), ...Object.keys(requested)])) {
    if (PROVENANCE.has(name) || name === 'artifact_sha256') continue;
    add(aspectOf(name), differing(`/model_spec/${escaped(name)}`, base[name], requested[name]));
  }
}

function aspectOf(name: string): CompatibilityAspect {
  if (name === 'tokenizer') return 'tokenizer';
  return VOCABULARY.has(name) ? 'vocabulary' : 'structure';
}

function digestsOf(base: VersionRecord) {
  return [
    ['structure', 'model_spec_digest', base.model_spec_digest],
    ['tokenizer', 'tokenizer_digest', tokenizerDigest(base)],
    ['artifact', 'artifact_digest', artifactDigest(base)],
  ] as const;
}

/** The digest of the weights as registered, or of the file. */
function artifactDigest({ model_spec: spec, files }: VersionRecord): Digest | null {
  const checkpoint = spec?.checkpoint_uri ?? 'model.safetensors';
  return spec?.artifact_sha256 ?? digestOfFile(files, checkpoint);
}

function tokenizerDigest(base: VersionRecord): Digest | null {
  const file = base.model_spec?.tokenizer_uri ?? 'tokenizer.json';
  return base.tokenizer_digest ?? digestOfFile(base.files, file);
}

const digestOfFile = (files: VersionRecord['files'], name: string) =>
  files.find(({ filename }) => filename === name)?.digest ?? null;

/** The differences of two values, down to the innermost fields; an array is one value. */
function differing(field: string, expected: unknown, actual: unknown): readonly Finding[] {
  if (isObject(expected) && isObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      differing(`${field}/${escaped(name)}`, expected[name], actual[name]),
    );
  }
  if (JSON.stringify(expected ?? null) === JSON.stringify(actual ?? null)) return [];
  return [{ field, expected: expected ?? null, actual: actual ?? null }];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 6901: `~` and `/` inside of a name are escaped. */
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
