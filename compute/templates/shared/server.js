// Serves this folder to this machine: `npm start`, or `PORT=8080 npm start`.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** A page with these headers is isolated from other origins, so that WASM may use all cores. */
const HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cache-control': 'no-cache',
};

const server = createServer(async (request, response) => {
  const file = fileOf(request.url ?? '/');
  const isFile = file !== undefined && (await stat(file).catch(() => undefined))?.isFile();
  if (!isFile) return response.writeHead(404).end();
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'content-type': type });
  if (request.method === 'HEAD') return response.end();
  return createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
});

/**
 * Undefined for what is not served: paths out of this folder, and hidden files.
 * @param {string} url
 */
function fileOf(url) {
  try {
    const path = normalize(decodeURIComponent(url.replace(/[?#].*/, '')));
    if (/(?:^|[/\\])\./.test(path) || path.includes('\0')) return undefined;
    return join(root, path.endsWith('/') ? `${path}index.html` : path);
  } catch {
    return undefined;
  }
}

const port = Number(process.env['PORT'] ?? 3000);
server.on('error', (error) => {
  console.error(
    `${error.message}: is another page being served? PORT=8080 npm start takes another port`,
  );
  process.exitCode = 1;
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  const own = typeof address === 'object' ? address?.port : port;
  console.log(`http://127.0.0.1:${own}/`);
});
