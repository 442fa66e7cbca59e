import { callEndpoint } from '../../edge/contract/client.ts';
import { WireArray } from '../../edge/plugins/contract/execution.ts';
import { pluginEndpoints } from '../../edge/plugins/endpoints.ts';
import { serviceHttp } from '../api/service-http.ts';
import { RATE_RUN } from './host/run-neuron.ts';
import type { NeuronRunner } from './protocol.ts';

/** A neuron plugin of a host: which it is. */
export interface HostPlugin {
  readonly host: string;
  readonly name: string;
}

/** Runs layers of a neuron plugin on its host, in steps of 1 ms. It tells spikes and no membranes. */
export function hostRunner({ host, name }: HostPlugin): NeuronRunner {
  const http = serviceHttp(`/${encodeURIComponent(host)}`);

  /** @param current [steps][neurons] @returns spikes, of the same shape */
  async function execute(steps: number, neurons: number, current: number[]): Promise<number[]> {
    const inputs = { current: { shape: [steps, neurons], data: current } };
    const asked = { params: { name }, body: { inputs } };
    const { body } = await callEndpoint(http, pluginEndpoints.executePlugin, asked);
    return WireArray.parse(body.outputs['spikes']).data;
  }

  return {
    async run({ currents }) {
      const spikes = await execute(currents.length, 1, [...currents]);
      return { states: [], spikes: spikes.flatMap((spike, step) => (spike === 0 ? [] : step)) };
    },
    async rates({ currents }) {
      const { ms, settlingMs } = RATE_RUN;
      const repeated = Array.from({ length: ms }, () => [...currents]).flat();
      const spikes = await execute(ms, currents.length, repeated);
      const counts = new Float64Array(currents.length);
      for (let at = settlingMs * currents.length; at < spikes.length; at++) {
        const neuron = at % currents.length;
        counts[neuron] = (counts[neuron] ?? 0) + (spikes[at] ?? 0);
      }
      return counts.map((count) => (count * 1000) / (ms - settlingMs));
    },
  };
}
