import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least a proxy can do, for comparison: pipes each request to one address, and its answer back. */
const [target = ''] = process.argv.slice(2);
const { hostname, port } = new URL(target);
const agent = new Agent({ keepAlive: true });
const server = createServer({ keepAliveTimeout: 75_000 }, (asked, answer) => {
  const { method, url: path, headers } = asked;
  const onward = request({ agent, hostname, port, method, path, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  onward.on('error', () => answer.destroy());
  asked.pipe(onward);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.on('end', () => process.exit(0)).resume();
