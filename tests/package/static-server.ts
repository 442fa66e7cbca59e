import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Headers of a page that is isolated from other origins, which may share memory between threads. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

export interface StaticServer {
  readonly address: string;
  /** Paths that were asked for and found, in order. */
  readonly served: readonly string[];
  close(): void;
}

/** Serves the files of a folder as they are. */
export async function serveFolder(folder: string, isIsolated: boolean): Promise<StaticServer> {
  const served: string[] = [];
  const server = createServer((request, answer) => {
    const path = normalize(new URL(request.url ?? '/', 'http://page').pathname);
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      answer.writeHead(404).end();
      return;
    }
    served.push(path);
    const type = { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' };
    answer.writeHead(200, { ...type, ...(isIsolated && ISOLATED) }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return { address: `http://127.0.0.1:${port}/`, served, close: () => void server.close() };
}
