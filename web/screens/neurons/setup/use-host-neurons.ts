import { useQueries, useQuery } from '@tanstack/react-query';
import { servicesQuery } from '../../../api/queries.ts';
import type { HostPlugin } from '../../../neuron-lab/host-runner.ts';
import { hostsAmong, pluginsQuery } from '../../../plugins/plugin-queries.ts';

/** The neuron plugins that are active on the hosts behind the gateway. */
export function useHostNeurons(): readonly HostPlugin[] {
  const services = useQuery(servicesQuery).data;
  const hosts = services ? hostsAmong(services) : [];
  const lists = useQueries({ queries: hosts.map((host) => pluginsQuery(host)) });
  return lists.flatMap(({ data }, index) =>
    (data?.plugins ?? [])
      .filter(({ type, status }) => type === 'NEURON' && status === 'ACTIVE')
      .map(({ name }) => ({ host: hosts[index] ?? '', name })),
  );
}
