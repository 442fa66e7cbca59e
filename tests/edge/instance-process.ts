import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * An instance of a service, as a process of its own that can be killed: it answers everything with
 * its name, and prints its port once it listens.
 */
const [name = 'unnamed'] = process.argv.slice(2);
const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ instance: name }));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
// It does not outlive whoever started it.
process.stdin.on('end', () => process.exit(0)).resume();
