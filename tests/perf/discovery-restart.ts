import { killBrokerOf } from '../edge/killed-broker.ts';
import { note, report } from './report.ts';

/*
 * The runtime of the Discovery object is killed with SIGKILL while so many real MQTT clients are
 * connected, and started again: `node tests/perf/discovery-restart.ts [clients]`. What is told is
 * what they have afterwards, and how long it took until the last one was back.
 */
const clients = Number(process.argv[2] ?? 1000);

const found = await killBrokerOf(clients);
for (const [name, value] of Object.entries(found)) note(`${name}: ${Math.round(value)}`);
report({
  name: `${clients} clients of a broker that was killed: sessions, messages and retained that are lost`,
  value: 3 * clients - found.resumed - found.reached - found.retained,
  unit: 'of all',
  target: 0,
  better: 'lower',
});
report({
  name: `${clients} clients of a broker that was killed: from the first answer to the last one back`,
  value: Number(((found.backMs - found.downMs) / 1000).toFixed(2)),
  unit: 's',
  target: 15,
  better: 'lower',
});
