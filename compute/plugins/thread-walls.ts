import { registerHooks } from 'node:module';
import type { PluginPermission } from '../../edge/contract/plugins/plugin.ts';
import type { ThreadData } from './thread-protocol.ts';

/** Modules of Node that only compute. */
const PURE = [
  'assert',
  'buffer',
  'events',
  'path',
  'stream',
  'string_decoder',
  'timers',
  'url',
  'util',
];

/** Modules of Node that a permission opens. */
const GRANTED: Readonly<Record<PluginPermission, readonly string[]>> = {
  network: ['dgram', 'dns', 'http', 'http2', 'https', 'net', 'tls'],
  'read-files': ['fs'],
};

/** Globals that reach out of the process. */
const NETWORK_GLOBALS = ['fetch', 'WebSocket', 'EventSource'];

const FORMATS: Readonly<Record<string, string>> = {
  js: 'module',
  mjs: 'module',
  ts: 'module-typescript',
  json: 'json',
};

/**
 * Closes this thread around a plugin, before any of its code runs: it imports `spikegrid`, its own files
 * (as they were hashed), what computes only, and what its permissions open. What it imports from is
 * trusted only where it is known to be the platform's; everything else is the plugin.
 */
export function buildWalls(data: ThreadData): void {
  const { folderUrl, files, permissions, apiUrl, trusted } = data;
  const open = new Set([...PURE, ...permissions.flatMap((permission) => GRANTED[permission])]);
  const isOurs = (url: string | undefined) =>
    url !== undefined && !url.startsWith(folderUrl) && trusted.some((root) => url.startsWith(root));
  registerHooks({
    resolve(specifier, context, next) {
      if (isOurs(context.parentURL)) return next(specifier, context);
      if (specifier === 'spikegrid') return { url: apiUrl, shortCircuit: true };
      if (specifier.startsWith('node:') && open.has(specifier.slice(5).replace(/\/.*/, ''))) {
        return next(specifier, context);
      }
      const url = URL.parse(specifier, context.parentURL ?? folderUrl)?.href ?? '';
      if (!/^\.{0,2}\//.test(specifier) || !files.has(placeOf(url, folderUrl))) {
        throw new Error(`it may not import "${specifier}": ${allowed(open)}`);
      }
      return { url, shortCircuit: true };
    },
    load(url, context, next) {
      const source = files.get(placeOf(url, folderUrl));
      if (!source) return next(url, context);
      const format = FORMATS[/\.(\w+)$/.exec(url)?.[1] ?? ''];
      if (format) return { format, source, shortCircuit: true };
      throw new Error(`${url.slice(folderUrl.length)} is no .js, .mjs, .ts or .json`);
    },
  });
  if (!permissions.includes('network')) {
    closeNetwork();
  }
  hideProcess();
}

/**
 * What `fetch` sends through stays on globalThis under a symbol of undici's, which is made when any of its
 * globals is first touched and cannot be deleted: it is made here and replaced.
 */
function closeNetwork(): void {
  void globalThis.Response;
  for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
    if (!symbol.description?.startsWith('undici.')) continue;
    Object.defineProperty(globalThis, symbol, { value: undefined, writable: false });
  }
  for (const name of NETWORK_GLOBALS) Reflect.deleteProperty(globalThis, name);
}

/** Behind `process` is the whole platform: another one is enough to ask for the time. */
function hideProcess(): void {
  const { hrtime, nextTick, version, versions, platform, arch } = process;
  const harmless = { env: {}, argv: [], hrtime, nextTick, version, versions, platform, arch };
  Object.defineProperty(globalThis, 'process', { value: Object.freeze(harmless) });
}

const placeOf = (url: string, folderUrl: string) =>
  url.startsWith(folderUrl) ? decodeURI(url.slice(folderUrl.length)) : '';

const allowed = (open: ReadonlySet<string>) =>
  `expected "spikegrid", a file of its folder, or one of node: ${[...open].join(', ')}`;
