import { queryOptions } from '@tanstack/react-query';
import { createGeoClient } from '../../edge/geo/contract/client.ts';
import { serviceHttp } from './service-http.ts';

/** Regions, their nodes and failover. */
export const geo = createGeoClient(serviceHttp(''));

/** Prefix of the query keys of regions. */
export const GEO_KEY = ['geo'] as const;

const STATE_EVERY_MS = 2_000;
const LATENCY_EVERY_MS = 10_000;
/** So many failovers are shown, and so many events. */
const FAILOVERS = 50;
const EVENTS = 100;

export const geoStatusQuery = queryOptions({
  queryKey: [...GEO_KEY, 'status'],
  queryFn: () => geo.geoStatus(),
  refetchInterval: STATE_EVERY_MS,
});

export const regionsQuery = queryOptions({
  queryKey: [...GEO_KEY, 'regions'],
  queryFn: () => geo.listRegions(),
  refetchInterval: STATE_EVERY_MS,
});

export const latencyQuery = queryOptions({
  queryKey: [...GEO_KEY, 'latency'],
  queryFn: () => geo.latencyMatrix(),
  refetchInterval: LATENCY_EVERY_MS,
});

export const failoversQuery = queryOptions({
  queryKey: [...GEO_KEY, 'failovers'],
  queryFn: () => geo.failoverHistory({ query: { limit: FAILOVERS } }),
  refetchInterval: STATE_EVERY_MS,
});

/** The latest events, the latest first. The oldest of all says at which number they begin. */
export const geoEventsQuery = queryOptions({
  queryKey: [...GEO_KEY, 'events'],
  queryFn: async () => {
    const oldest = await geo.geoEvents({ query: { limit: 1 } });
    const last = (oldest.events[0]?.seq ?? 1) + oldest.total - 1;
    const { events } = await geo.geoEvents({
      query: { after: Math.max(0, last - EVENTS), limit: EVENTS },
    });
    return events.toReversed();
  },
  refetchInterval: STATE_EVERY_MS,
});
