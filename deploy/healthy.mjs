// Ends with 0 where a part of the platform is well, for the health checks of containers:
//   node deploy/healthy.mjs http://127.0.0.1:8002/health/live
//   node deploy/healthy.mjs trainer GATEWAY        a trainer under this machine's name is seen
//   node deploy/healthy.mjs node GATEWAY ID        a node of that id is active
// A part that does not listen is healthy when the gateway sees it; its key is read as the part itself reads it.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

const TIME_LIMIT_MS = 4_000;

const [what = '', gateway = '', id = ''] = process.argv.slice(2);
try {
  await check();
} catch (error) {
  console.error(String(error));
  process.exit(1);
}

async function check() {
  if (what === 'trainer') {
    const { trainers } = await ask(`${gateway}/training/trainers`);
    const isSeen = trainers.some(({ name, status }) => name === hostname() && status !== 'offline');
    if (!isSeen) throw new Error(`no trainer called ${hostname()} is seen`);
  } else if (what === 'node') {
    const { nodes } = await ask(`${gateway}/api/node-discovery/health`);
    const isActive = nodes.some(({ node_id, status }) => node_id === id && status === 'active');
    if (!isActive) throw new Error(`no node ${id} is active`);
  } else {
    await ask(what);
  }
}

/** @param {string} url */
async function ask(url) {
  const path = process.env['SPIKEGRID_KEY_FILE'];
  const headers = path ? { authorization: `Bearer ${readFileSync(path, 'utf8').trim()}` } : {};
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  return answer.json();
}
