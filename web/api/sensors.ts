import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { clientOf, openStream } from '../../edge/contract/client.ts';
import { sensorEndpoints } from '../../edge/sensors/endpoints.ts';
import type { NewSensorInput, SensorRecord } from '../../edge/sensors/contract/sensor.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');
const sensorApi = clientOf(sensorEndpoints, http);

/** The first part of the key of all that is known of sensors. */
export const SENSORS_KEY = ['sensors'] as const;

const EVERY_MS = 5_000;
const PAGE = 20;
const READINGS_PAGE = 100;

export interface SensorSearch {
  readonly type?: string;
  readonly node_id?: string;
}

/** Sensors, the latest registered first. */
export const sensorsQuery = (search: SensorSearch) =>
  infiniteQueryOptions({
    queryKey: [...SENSORS_KEY, 'list', search],
    refetchInterval: EVERY_MS,
    queryFn: ({ signal, pageParam: cursor }) =>
      sensorApi.listSensors({
        query: { ...search, limit: PAGE, ...(cursor !== null && { cursor }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const sensorQuery = (sensorId: string) =>
  queryOptions({
    queryKey: [...SENSORS_KEY, 'one', sensorId],
    refetchInterval: EVERY_MS,
    queryFn: ({ signal }) => sensorApi.getSensor({ params: { sensor_id: sensorId }, signal }),
  });

/** A stretch of time in ms since 1970, cut into steps that its ends lie on. */
export interface ReadingWindow {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

const ends = ({ from, to }: ReadingWindow) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** The readings of a time, joined in steps. */
export const readingSeriesQuery = (sensorId: string, window: ReadingWindow) =>
  queryOptions({
    queryKey: [...SENSORS_KEY, 'series', sensorId, window],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const steps = (window.to - window.from) / window.stepMs;
      return sensorApi.readingSeries({
        params: { sensor_id: sensorId },
        query: { ...ends(window), steps },
        signal,
      });
    },
  });

/** The readings of a time one by one, the latest first. */
export const readingsQuery = (sensorId: string, window: ReadingWindow) =>
  infiniteQueryOptions({
    queryKey: [...SENSORS_KEY, 'readings', sensorId, window],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam: cursor }) => {
      const page = { limit: READINGS_PAGE, order: 'desc', ...(cursor !== null && { cursor }) };
      return sensorApi.listReadings({
        params: { sensor_id: sensorId },
        query: { ...ends(window), ...page },
        signal,
      });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** Registers a sensor, or renews its registration. @throws ProblemError already_exists */
export const registerSensor = (body: NewSensorInput): Promise<SensorRecord> =>
  sensorApi.registerSensor({ body });

/** @throws ProblemError sensor_not_found */
export async function deleteSensor(sensorId: string): Promise<void> {
  await sensorApi.deleteSensor({ params: { sensor_id: sensorId } });
}

/** The readings of a sensor after one, as a stream that goes on; from the last hundred where it is 0. */
export const openReadings = (
  sensorId: string,
  after: number,
  signal: AbortSignal,
): Promise<Response> =>
  openStream(http, sensorEndpoints.followReadings, {
    params: { sensor_id: sensorId },
    query: { after: after === 0 ? undefined : after },
    signal,
  });
