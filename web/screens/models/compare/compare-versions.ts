import type { VersionRecord } from '../../../../edge/registry/contract/model.ts';

/** The parts of a version that are compared, in the order they are shown. */
export const PARTS = ['facts', 'spec', 'digests', 'tags', 'files'] as const;
export type Part = (typeof PARTS)[number];

/** One field in which two versions differ; null where one of them does not have it. */
export interface Difference {
  readonly part: Part;
  readonly field: string;
  readonly left: string | null;
  readonly right: string | null;
}

/** Where two versions differ, and nothing of where they agree. */
export function compareVersions(left: VersionRecord, right: VersionRecord): Difference[] {
  return PARTS.flatMap((part) => {
    const [a, b] = [fieldsOf(part, left), fieldsOf(part, right)];
    const names = [...new Set([...a.keys(), ...b.keys()])].toSorted();
    return names
      .map((field) => ({ part, field, left: a.get(field) ?? null, right: b.get(field) ?? null }))
      .filter((difference) => difference.left !== difference.right);
  });
}

function fieldsOf(part: Part, version: VersionRecord): ReadonlyMap<string, string> {
  switch (part) {
    case 'facts':
      return pick(version, [
        'name',
        'model_type',
        'framework',
        'architecture',
        'description',
        'status',
        'job_id',
        'parent_model_id',
        'parent_version',
      ]);
    case 'spec':
      return new Map(flatten(version.model_spec ?? {}, ''));
    case 'digests':
      return pick(version, [
        'manifest_digest',
        'model_spec_digest',
        'tokenizer_digest',
        'dataset_digest',
      ]);
    case 'tags':
      return new Map(Object.entries(version.tags));
    case 'files':
      return new Map(version.files.map((file) => [file.filename, file.digest]));
  }
}

function pick(version: VersionRecord, names: readonly (keyof VersionRecord)[]) {
  return new Map(
    names.flatMap((name) => {
      const value = version[name];
      return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
    }),
  );
}

/** Nested values by their paths, such as `neuron.threshold`; lists stay whole. */
function flatten(value: object, path: string): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    const here = path === '' ? name : `${path}.${name}`;
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      return flatten(inner, here);
    }
    return [[here, typeof inner === 'string' ? inner : JSON.stringify(inner)] as const];
  });
}
