/**
 * The dashboard's page paths: a closed list, so that serving the single page never swallows
 * `/{service}/{path}`. A segment that starts with a colon stands for any one segment.
 */
export const PAGES = [
  '/',
  '/alerts',
  '/brain',
  '/brain/metrics',
  '/docs',
  '/evaluate',
  '/gateway',
  '/jobs',
  '/jobs/:id',
  '/keys',
  '/lab',
  '/logs',
  '/memory',
  '/models',
  '/models/:id',
  '/neurons',
  '/playground',
  '/plugins',
  '/regions',
  '/sensors',
  '/settings',
  '/simulator',
  '/sweeps',
  '/telemetry',
  '/tests',
  '/trainers',
] as const;
export type Page = (typeof PAGES)[number];

/** The folder of the dashboard's hashed files. */
export const ASSETS_PREFIX = '/assets/';

/** The folder of the guide: pages and files that are built from docs/. */
export const GUIDE_PREFIX = '/guide/';

/** The path prefix of scripts that run code of others: they are served without network access. */
export const SANDBOX_PREFIX = `${ASSETS_PREFIX}plugin-sandbox-`;

/** The page of a URL path, or undefined. One trailing slash is ignored. */
export function pageOf(pathname: string): Page | undefined {
  const segments = segmentsOf(pathname);
  return PAGES.find((page) => matches(segmentsOf(page), segments));
}

/**
 * Names no service may take: the gateway's own paths, the version prefixes, and the first segment
 * of every page.
 */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'api',
  'dashboard',
  'distributed_brain',
  'events',
  'health',
  'metrics',
  'mqtt',
  'openapi.json',
  'problems',
  'register',
  'services',
  'test',
  'v1',
  'v2',
  'ws',
  ...[ASSETS_PREFIX, GUIDE_PREFIX, ...PAGES].flatMap((path) => segmentsOf(path).slice(0, 1)),
]);

function segmentsOf(path: string): readonly string[] {
  const inner = path.slice(1);
  return inner === '' ? [] : inner.replace(/\/$/, '').split('/');
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))
  );
}
