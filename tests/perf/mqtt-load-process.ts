import { connectAsync, type MqttClient } from 'mqtt';
import { nodeOptions } from '../../edge/discovery/contract/node-connection.ts';
import { HEARTBEAT_MS } from '../../edge/discovery/contract/node-machine.ts';
import { heartbeatTopic } from '../../edge/discovery/contract/topics.ts';

/**
 * Nodes for `mqtt-load.ts`, in a process of their own: `<url> <how many> <prefix of their ids>`. It says
 * 'up' once all are connected, counts from 'count' on, and answers 'tell' with its count.
 */
const [url = '', many = '0', prefix = ''] = process.argv.slice(2);
/** So many connect at a time: what is measured is heartbeats, not the rush at the door. */
const AT_ONCE = 20;

const clients: MqttClient[] = [];
for (let i = 0; i < Number(many); i += AT_ONCE) {
  const some = Array.from({ length: Math.min(AT_ONCE, Number(many) - i) }, (_, k) =>
    connectAsync(url, nodeOptions(`${prefix}-${i + k}`)),
  );
  clients.push(...(await Promise.all(some)));
}

let sent = 0;
let isCounting = false;
process.on('message', (asked) => {
  if (asked === 'count') isCounting = true;
  if (asked !== 'tell') return;
  isCounting = false;
  process.send?.(sent);
  for (const timer of timers) clearInterval(timer);
});

const timers: NodeJS.Timeout[] = [];
for (const [i, client] of clients.entries()) {
  const start = () => timers.push(setInterval(() => beat(client), HEARTBEAT_MS));
  setTimeout(start, (i * HEARTBEAT_MS) / clients.length);
}
process.send?.('up');

function beat(client: MqttClient): void {
  const nodeId = client.options.clientId ?? '';
  const text = JSON.stringify({
    node_id: nodeId,
    module_type: 'visual',
    host: 'load',
    timestamp: (performance.timeOrigin + performance.now()) / 1000,
    metadata: { step_count: sent, active_task: false, cpu_percent: 12, counted: isCounting },
  });
  client.publish(heartbeatTopic(nodeId), text.padEnd(200), { qos: 0 });
  if (isCounting) sent += 1;
}
