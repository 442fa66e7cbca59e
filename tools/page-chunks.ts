import { fileURLToPath } from 'node:url';

/*
 * Chunks of what several screens or workers of the page need, for vite.config.ts. Left alone, every set of
 * those who share something makes a chunk, two hundred in all: gzip begins anew in each, and each names its
 * imports. Here a module goes to the first group that takes it; what one alone needs stays with it.
 */

/** Whether the path of a module begins with one of these names in a folder of this project. */
const under = (folder: string, ...names: readonly string[]) => {
  const paths = (names.length > 0 ? names : ['']).map((name) =>
    fileURLToPath(new URL(`../${folder}/${name}`, import.meta.url)),
  );
  return (id: string) => paths.some((path) => id.startsWith(path));
};
type Takes = (id: string) => boolean;
const any =
  (...all: readonly Takes[]): Takes =>
  (id) =>
    all.some((takes) => takes(id));
const ofPackage =
  (...names: readonly string[]): Takes =>
  (id) =>
    names.some((name) => id.includes(`/node_modules/${name}`));

/** Where the page and its workers begin: each a chunk of its own. */
const isEntry = under('web', 'index.html', 'main.tsx', 'workers/page-worker');

/** What page and workers begin with alike. */
const base = any(
  ofPackage('zod/'),
  (id) => id.includes('preload-helper'),
  under('engine'),
  under('edge/contract'),
  under('web/api', 'own-fetch', 'service-http'),
);
/** What uploads, downloads and leases. */
const transfer = any(
  under('edge/contract', 'resumable-', 'upload-', 'registry-', 'tus', 'digest', 'paging'),
  under('edge/contract', 'model', 'alias', 'semver', 'events/'),
  under('trainer', 'backoff', 'parts', 'send-dataset', 'training-client'),
);
/** What forms ask for, and workers take. */
const facts = any(
  under('engine/families', 'facts', 'fields', 'architectures', 'stored-fields'),
  under('engine', 'data/text-fields', 'models/sampling', 'backends/device-choice'),
  under('edge/contract/training'),
  under('web', 'workers/', 'api/device', 'lab/run-machine', 'simulator/raster-layout'),
  under('web', 'ui/dropped-files'),
);
/** What Neuron lab and Simulator show of neurons, and compute with. */
const networks = any(
  under('engine/simulator', 'description', 'statistics', 'draws'),
  under('engine/plasticity', 'parameters', 'synapses', 'traces', 'stdp'),
  under('engine', 'neurons/', 'analysis/spike-trains', 'random/philox', 'graph/tensor'),
  under('engine/ops', 'shapes'),
);
const parts = any(
  under('web', 'ui/', 'i18n/', 'url-state/', 'stores/', 'app/'),
  ofPackage('@tanstack', 'react', 'use-sync'),
);
const engine = any(
  under('engine', 'graph/', 'ops/', 'backends/', 'random/', 'neurons/'),
  under('engine', 'simulator/', 'plasticity/', 'encoders/', 'functional/'),
);

const first = { tags: ['$initial' as const] };
const shared = { minShareCount: 2 };

/** In the order in which they take modules. The groups that workers load hold nothing that needs a document. */
export const chunkGroups = [
  { name: 'base', ...first, test: base },
  { name: 'page', ...first, test: (id: string) => !isEntry(id) },
  { name: 'transfer', ...shared, test: transfer },
  { name: 'facts', ...shared, test: facts },
  { name: 'networks', ...shared, test: networks },
  {
    name: 'monitoring',
    ...shared,
    test: under('edge/contract', 'alert', 'metrics'),
  },
  { name: 'charts', ...shared, test: under('web/widgets') },
  { name: 'parts', ...shared, test: parts },
  { name: 'engine', ...shared, test: engine },
  { name: 'training', ...shared, test: any(under('engine'), under('trainer')) },
].map((group, place, all) => ({ ...group, priority: all.length - place }));
