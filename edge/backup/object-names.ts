import type { KeptClass, KeptObject, NotedClass } from './contract/backup.ts';
import { DEFAULT_NAMESPACE } from '../discovery/endpoints.ts';
import { directoryNamed } from '../discovery/directory-stub.ts';
import type { Env } from '../env.ts';
import { gatewayOf } from '../gateway/gateway-stub.ts';
import { geoConfigOf } from '../geo/config.ts';
import { geoOf } from '../geo/geo-stub.ts';
import { directoryOf as memoriesOf } from '../memory/memory-stub.ts';

/** Names requested at a time. */
const PAGE = 100;

/** Classes of which there is one object, in the order in which they are read and restored. */
const SINGLE: readonly KeptClass[] = [
  'Registry',
  'Training',
  'Datasets',
  'Alerts',
  'Monitoring',
  'Traces',
  'LogHub',
  'MemoryDirectory',
  'Gateway',
];

interface NamePage {
  readonly names: readonly string[];
  /** Where the next page starts; undefined after the last. */
  readonly next: string | undefined;
}

/** The classes that have several objects, and who knows their names. */
const NAMED: readonly (readonly [KeptClass, (env: Env, after: string) => Promise<NamePage>])[] = [
  ['RegionStore', regionNames],
  ['Memory', memoryNames],
  ['Sensors', sensorNames],
  ['Discovery', brainNames],
  ['Traces', (env, after) => notedNames(env, 'Traces', after)],
  ['MemoryDirectory', (env, after) => notedNames(env, 'MemoryDirectory', after)],
];

interface ObjectNames {
  readonly objects: readonly KeptObject[];
  readonly next: string | undefined;
}

/** A page of the objects that exist. Access comes last, as restoring it may invalidate the key in use. */
export async function objectNames(env: Env, cursor: string | undefined): Promise<ObjectNames> {
  if (cursor === undefined) return { objects: singleObjects(env), next: '0.' };
  const [, index = '0', after = ''] = /^(\d+)\.(.*)$/s.exec(cursor) ?? [];
  const named = NAMED[Number(index)];
  if (!named) return { objects: [{ class: 'Access', name: 'main' }], next: undefined };
  const [kind, read] = named;
  const { names, next } = await read(env, after);
  return {
    objects: names.map((name) => ({ class: kind, name })),
    next: next === undefined ? `${Number(index) + 1}.` : `${index}.${next}`,
  };
}

const singleObjects = (env: Env): readonly KeptObject[] => [
  ...SINGLE.map((kind) => ({ class: kind, name: 'main' })),
  { class: 'Geo', name: geoConfigOf(env).state_file },
];

async function regionNames(env: Env): Promise<NamePage> {
  const regions = await geoOf(env).regions();
  return { names: regions.map(({ region_id }) => region_id), next: undefined };
}

async function memoryNames(env: Env, after: string): Promise<NamePage> {
  const before = after === '' ? Number.MAX_SAFE_INTEGER : Number(after);
  const { namespaces, next } = await memoriesOf(env).list({ limit: PAGE, before });
  const names = namespaces.map(({ owner, namespace }) => `${owner}/${namespace}`);
  return { names, next: next?.toString() };
}

/** Objects that noted themselves; before them, those of owners from a time when none did. */
async function sensorNames(env: Env, after: string): Promise<NamePage> {
  if (after.startsWith('=')) {
    const { names, next } = await notedNames(env, 'Sensors', after.slice(1));
    return { names, next: next && `=${next}` };
  }
  // Sensor readings are stored as memories, so an owner of sensors has a memory namespace.
  const { names, next } = await memoryNames(env, after);
  const owners = names.map((name) => name.slice(0, name.lastIndexOf('/')));
  return { names: [...new Set(owners)], next: next ?? '=' };
}

async function brainNames(env: Env, after: string): Promise<NamePage> {
  const { names, next } = await notedNames(env, 'Discovery', after);
  const brains = after === '' ? [...new Set([DEFAULT_NAMESPACE, ...names])] : names;
  const shards = await Promise.all(
    brains.map(async (brain) => {
      const regions = await directoryNamed(env, brain).regions();
      return [brain, ...regions.map((region) => `${brain}/${region}`)];
    }),
  );
  return { names: shards.flat(), next };
}

async function notedNames(env: Env, kind: NotedClass, after: string): Promise<NamePage> {
  const names = await gatewayOf(env).objects(kind, after, PAGE);
  return { names, next: names.length === PAGE ? names.at(-1) : undefined };
}
