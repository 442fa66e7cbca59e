import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callEndpoint, pathOf } from '../../edge/contract/endpoint-client.ts';
import { checked, queryOf } from '../../edge/contract/http-client.ts';
import { sensorEndpoints } from '../../edge/sensors/endpoints.ts';
import type { NewSensorInput, SensorRecord } from '../../edge/sensors/contract/sensor.ts';
import { serviceHttp } from './service-http.ts';

const http = serviceHttp('');

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
    queryFn: async ({ signal, pageParam: cursor }) => {
      const query = { ...search, limit: PAGE, ...(cursor !== null && { cursor }) };
      return (await callEndpoint(http, sensorEndpoints.listSensors, { query, signal })).body;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

export const sensorQuery = (sensorId: string) =>
  queryOptions({
    queryKey: [...SENSORS_KEY, 'one', sensorId],
    refetchInterval: EVERY_MS,
    queryFn: async ({ signal }) => {
      const asked = { params: { sensor_id: sensorId }, signal };
      return (await callEndpoint(http, sensorEndpoints.getSensor, asked)).body;
    },
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
      const asked = {
        params: { sensor_id: sensorId },
        query: { ...ends(window), steps },
        signal,
      };
      return (await callEndpoint(http, sensorEndpoints.readingSeries, asked)).body;
    },
  });

/** The readings of a time one by one, the latest first. */
export const readingsQuery = (sensorId: string, window: ReadingWindow) =>
  infiniteQueryOptions({
    queryKey: [...SENSORS_KEY, 'readings', sensorId, window],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal, pageParam: cursor }) => {
      const page = { limit: READINGS_PAGE, order: 'desc', ...(cursor !== null && { cursor }) };
      const asked = {
        params: { sensor_id: sensorId },
        query: { ...ends(window), ...page },
        signal,
      };
      return (await callEndpoint(http, sensorEndpoints.listReadings, asked)).body;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });

/** Registers a sensor, or renews its registration. @throws ProblemError already_exists */
export async function registerSensor(body: NewSensorInput): Promise<SensorRecord> {
  return (await callEndpoint(http, sensorEndpoints.registerSensor, { body })).body;
}

/** @throws ProblemError sensor_not_found */
export async function deleteSensor(sensorId: string): Promise<void> {
  await callEndpoint(http, sensorEndpoints.deleteSensor, { params: { sensor_id: sensorId } });
}

/** The readings of a sensor after one, as a stream that goes on; from the last hundred where it is 0. */
export async function openReadings(
  sensorId: string,
  after: number,
  signal: AbortSignal,
): Promise<Response> {
  const path = pathOf(sensorEndpoints.followReadings.path, { sensor_id: sensorId });
  const url = http.base + path + queryOf({ after: after === 0 ? undefined : after });
  const headers = { ...http.headers, accept: 'text/event-stream' };
  return checked(await http.fetch(url, { headers, signal }));
}
