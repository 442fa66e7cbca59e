import { once } from 'node:events';
import { createServer as createHttp } from 'node:http';
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { newRoot } from './plugin-system.ts';

/** Resources outside of a plugin: it must reach none of them, and `reached` counts attempts that did. */
export interface Outside extends AsyncDisposable {
  readonly port: number;
  readonly udpPort: number;
  readonly unixPath: string;
  readonly secretPath: string;
  /** Connections and datagrams so far. */
  readonly reached: () => number;
}

export async function openOutside(): Promise<Outside> {
  const folder = newRoot();
  const [unixPath, secretPath] = [join(folder, 'socket'), join(folder, 'secret')];
  writeFileSync(secretPath, 'of the host');
  let reached = 0;
  const http = createHttp((_, response) => response.end('reached'));
  const unix = createServer();
  const udp = createSocket('udp4', () => (reached += 1));
  for (const server of [http, unix]) server.on('connection', () => (reached += 1));
  http.listen(0, '127.0.0.1');
  unix.listen(unixPath);
  udp.bind(0, '127.0.0.1');
  await Promise.all([http, unix, udp].map((server) => once(server, 'listening')));
  return {
    port: (http.address() as AddressInfo).port,
    udpPort: udp.address().port,
    unixPath,
    secretPath,
    reached: () => reached,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      for (const server of [http, unix, udp]) server.close();
    },
  };
}

const opened = (what: string, event = 'connect') =>
  `const way = ${what}; await new Promise((ok, no) => way.on('${event}', ok).on('error', no))`;

/** Code for each way to the network; what does not throw has found one. */
export function waysToNetwork({ port, udpPort, unixPath }: Outside): Record<string, string> {
  const dispatched = `dispatcher.dispatch({ origin: 'http://127.0.0.1:${port}', path: '/', method: 'GET' }, {
    onConnect() {}, onRequestStart() {}, onHeaders() { ok(); }, onResponseStart() { ok(); }, onData() {},
    onResponseData() {}, onComplete() {}, onResponseEnd() {}, onError(e) { no(e); }, onResponseError(_, e) { no(e); } })`;
  return {
    fetch: `await fetch('http://127.0.0.1:${port}/')`,
    net: opened(`(await import('node:net')).connect(${port}, '127.0.0.1')`),
    unix: opened(`(await import('node:net')).connect(${JSON.stringify(unixPath)})`),
    http: opened(`(await import('node:http')).get('http://127.0.0.1:${port}/')`, 'response'),
    builtin: opened(`process.getBuiltinModule('node:net').connect(${port}, '127.0.0.1')`),
    dns: `await (await import('node:dns')).promises.lookup('localhost')`,
    resolver: `const { Resolver } = (await import('node:dns')).promises;
      const own = new Resolver({ timeout: 200, tries: 1 }); own.setServers(['127.0.0.1:${udpPort}']);
      await own.resolve('example.com')`,
    udp: `const udp = (await import('node:dgram')).createSocket('udp4');
      await new Promise((ok, no) => udp.send('x', ${udpPort}, '127.0.0.1', (e) => (e ? no(e) : ok())))`,
    WebSocket: `const ws = new WebSocket('ws://127.0.0.1:${port}/');
      await new Promise((ok, no) => { ws.onopen = ok; ws.onerror = () => no(new Error('no')); })`,
    EventSource: `const es = new EventSource('http://127.0.0.1:${port}/');
      await new Promise((ok, no) => { es.onopen = ok; es.onerror = () => no(new Error('no')); })`,
    dispatcher: `new Response(''); const dispatcher = Object.getOwnPropertySymbols(globalThis)
        .map((symbol) => globalThis[symbol]).find((value) => value?.dispatch);
      await new Promise((ok, no) => ${dispatched})`,
    sockets: `const { connect } = await import('cloudflare:sockets');
      await connect('127.0.0.1:${port}').opened`,
  };
}

/** Code for each way to the machine beside the network. */
export function waysToMachine({ secretPath }: Outside): Record<string, string> {
  const secret = JSON.stringify(secretPath);
  const beside = JSON.stringify(`${secretPath}-2`);
  return {
    read: `(await import('node:fs')).readFileSync(${secret})`,
    promised: `await (await import('node:fs/promises')).readFile(${secret})`,
    evaluated: `await (0, eval)("import('node:fs').then((fs) => fs.readFileSync('${secretPath}'))")`,
    made: `await new Function("return import('node:fs').then((fs) => fs.readFileSync('${secretPath}'))")()`,
    imported: `await import(${JSON.stringify(`file://${secretPath}`)}, { with: { type: 'json' } })`,
    address: `await import('data:text/javascript,export default 1' + ${secret}.length); throw 0`,
    environ: `(await import('node:fs')).readFileSync('/proc/self/environ')`,
    environment: `const { PWD, ...env } = process.env; if (Object.keys(env).length === 0) throw 0`,
    write: `(await import('node:fs')).writeFileSync(${beside}, 'x')`,
    own: `(await import('node:fs')).writeFileSync(new URL('own', import.meta.url), 'x')`,
    sqlite: `const { DatabaseSync } = await import('node:sqlite'); new DatabaseSync(${beside}).exec('create table t (x)')`,
    command: `(await import('node:child_process')).execFileSync('/bin/true')`,
    execve: `process.execve('/bin/true', ['true'], {})`,
    thread: `new (await import('node:worker_threads')).Worker('1', { eval: true })`,
    wasi: `new (await import('node:wasi')).WASI({ version: 'preview1' })`,
    inspector: `(await import('node:inspector')).open(0)`,
    binding: `process.binding('spawn_sync')`,
    addon: `process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libc.so.6')`,
    kill: `process.kill(${process.pid}, 0)`,
    platform: `await import('../../compute/cli/main.ts')`,
  };
}

/** The body of an `execute` that tries them all and answers the names of those that worked. */
export const tryAll = (ways: Readonly<Record<string, string>>) =>
  `const got = [];
  ${Object.entries(ways)
    .map(
      ([name, code]) => `try { await (async () => { ${code}; })(); got.push('${name}'); } catch {}`,
    )
    .join('\n')}
  return { value: got };`;
