import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { alertEndpoints } from '../../edge/alerts/endpoints.ts';
import { callEndpoint } from '../../edge/contract/client.ts';
import { alertClient, FAST_ALERTS, overTen, WAIT } from './alert-client.ts';
import { startEdge } from './harness.ts';

describe('a restart', () => {
  it('keeps rules, alerts, silences and receivers, and goes on evaluating', async () => {
    const stateDir = mkdtempSync(join(tmpdir(), 'spikegrid-alerts-'));
    try {
      const options = { stateDir, vars: { ...FAST_ALERTS, METRICS_FLUSH_MS: 50 } };
      let startsAt: string | undefined;
      {
        await using first = await startEdge(options);
        const one = alertClient(first.monitoring);
        await one.addReceiver({ id: 'hook', name: 'Hook', url: 'http://127.0.0.1:9/' });
        await one.addRule({ ...overTen('lasting'), receivers: ['hook'] });
        await one.measure('lasting', 11);
        await expect.poll(() => one.states('lasting'), WAIT).toEqual(['firing']);
        await one.addSilence({ matchers: [{ name: 'a', value: 'b' }], duration_s: 3600 });
        startsAt = (await one.alerts())[0]?.startsAt;
      }
      await using second = await startEdge(options);
      const two = alertClient(second.monitoring);

      expect(await two.alerts()).toMatchObject([{ name: 'lasting', startsAt }]);
      const silences = await callEndpoint(two.http, alertEndpoints.listSilences, { query: {} });
      expect(silences.body).toMatchObject({ total: 1, silences: [{ state: 'active' }] });
      const receivers = await callEndpoint(two.http, alertEndpoints.listReceivers, {});
      expect(receivers.body.total).toBe(1);
      await two.measure('lasting', 1);
      await expect.poll(() => two.states('lasting'), WAIT).toEqual(['resolved']);
    } finally {
      rmSync(stateDir, { recursive: true });
    }
  });
});
