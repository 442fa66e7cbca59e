import { expect, it } from 'vitest';
import { killBrokerOf } from './killed-broker.ts';

const CLIENTS = 30;

it('a broker that is killed with its clients connected has their sessions, messages and wills', async () => {
  const found = await killBrokerOf(CLIENTS);

  expect(found).toMatchObject({
    resumed: CLIENTS,
    reached: CLIENTS,
    retained: CLIENTS,
    // A will without delay is published although its client is on its way back (MQTT 5, 3.1.2.5).
    willsAtOnce: CLIENTS / 2,
    willsDelayed: 0,
  });
}, 120_000);
