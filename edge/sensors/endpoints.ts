import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import * as sensorReadingSchemas from './contract/reading.ts';
import {
  NewReadings,
  type Reading,
  ReadingList,
  ReadingQuery,
  ReadingSeries,
  ReadingSeriesQuery,
  ReadingStreamQuery,
  StoredReadings,
} from './contract/reading.ts';
import * as sensorSchemas from './contract/sensor.ts';
import {
  NewSensor,
  SensorDeleted,
  SensorId,
  SensorList,
  SensorOwner,
  SensorQuery,
  SensorRecord,
} from './contract/sensor.ts';
import * as sensorEncodingSchemas from './contract/encoding.ts';
import { describe, fromBody } from '../contract/endpoint-docs.ts';

/** Sensors: what they measure becomes spikes, is followed live, and is remembered window by window. */
export const sensorEndpoints = {
  registerSensor: {
    method: 'POST',
    path: '/v1/sensor/register',
    summary:
      'Registers a sensor, or renews its registration. Its type and unit stay as they were first said.',
    access: 'memory:write',
    query: z.strictObject({}),
    body: NewSensor,
    responses: { 200: SensorRecord, 201: SensorRecord },
    problems: ['already_exists', 'limit_reached', 'quota_exceeded'],
  },
  listSensors: {
    method: 'GET',
    path: '/v1/sensor/sensors',
    summary: 'The sensors of the caller, the latest registered first.',
    access: 'memory:read',
    query: SensorQuery,
    responses: { 200: SensorList },
  },
  getSensor: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id',
    summary: 'One sensor.',
    access: 'memory:read',
    query: SensorOwner,
    responses: { 200: SensorRecord },
    problems: ['sensor_not_found'],
  },
  deleteSensor: {
    method: 'DELETE',
    path: '/v1/sensor/sensors/:sensor_id',
    summary: 'Deletes a sensor with its readings; what is remembered of them stays.',
    access: 'memory:write',
    query: SensorOwner,
    responses: { 200: SensorDeleted },
    problems: ['sensor_not_found'],
  },
  storeReadings: {
    method: 'POST',
    path: '/v1/sensor/sensors/:sensor_id/readings',
    summary: 'Stores readings, the oldest first; each is taken or refused by itself.',
    access: 'memory:write',
    query: z.strictObject({}),
    body: NewReadings,
    responses: { 202: StoredReadings },
    problems: ['sensor_not_found', 'rate_limited'],
  },
  listReadings: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id/readings',
    summary: 'Readings of a time with their spikes.',
    access: 'memory:read',
    query: ReadingQuery,
    responses: { 200: ReadingList },
    problems: ['sensor_not_found'],
  },
  readingSeries: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id/series',
    summary: 'The readings of a time in steps: how many, between what, and their spikes.',
    access: 'memory:read',
    query: ReadingSeriesQuery,
    responses: { 200: ReadingSeries },
    problems: ['sensor_not_found'],
  },
  followReadings: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id/stream',
    summary:
      'Readings with their spikes as they come (see ReadingEvent) where Accept names text/event-stream; else those there are.',
    access: 'memory:read',
    query: ReadingStreamQuery,
    headers: { 'last-event-id': 'Goes on after the reading with this `seq`.' },
    responses: { 200: { media: ['text/event-stream'] } },
    problems: ['sensor_not_found'],
  },
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const sensorDocs = () => {
  const asked = {
    sensor_id: 'pump-7',
    type: 'temperature',
    unit: '°C',
    node_id: 'node-sp-1',
    rate_hz: 2,
    metadata: { room: 'basement' },
  };

  const sensor: SensorRecord = {
    ...asked,
    encoding: { code: 'delta', low: -40, high: 85, threshold: 0.5, steps: 1 },
    namespace: 'sensors',
    window_s: 60,
    retention_s: 604_800,
    created_at: '2026-11-22T10:00:00.000Z',
    updated_at: '2026-11-22T10:00:00.000Z',
    readings: 120,
    last_reading: { seq: 120, at: '2026-11-22T10:01:00.000Z', value: 21.5 },
  };

  const readings: Reading[] = [
    { seq: 119, at: '2026-11-22T10:00:59.500Z', value: 21, spikes: { on: [], off: [] } },
    { seq: 120, at: '2026-11-22T10:01:00.000Z', value: 21.5, spikes: { on: [0], off: [] } },
  ];

  const params = { sensor_id: asked.sensor_id };

  return describe(sensorEndpoints, {
    schemas: [sensorSchemas, sensorEncodingSchemas, sensorReadingSchemas],
    params: { 'sensors/:sensor_id': { description: 'The sensor.', schema: SensorId } },
    operations: {
      registerSensor: {
        query: {},
        body: asked,
        responses: { 200: sensor, 201: sensor },
        links: {
          200: {
            getSensor: { sensor_id: fromBody('sensor_id') },
            storeReadings: { sensor_id: fromBody('sensor_id') },
            listReadings: { sensor_id: fromBody('sensor_id') },
            readingSeries: { sensor_id: fromBody('sensor_id') },
            followReadings: { sensor_id: fromBody('sensor_id') },
            deleteSensor: { sensor_id: fromBody('sensor_id') },
          },
          201: {
            getSensor: { sensor_id: fromBody('sensor_id') },
            storeReadings: { sensor_id: fromBody('sensor_id') },
            listReadings: { sensor_id: fromBody('sensor_id') },
            readingSeries: { sensor_id: fromBody('sensor_id') },
            followReadings: { sensor_id: fromBody('sensor_id') },
            deleteSensor: { sensor_id: fromBody('sensor_id') },
          },
        },
      },
      listSensors: {
        query: { type: 'temperature', limit: '20' },
        responses: { 200: { sensors: [sensor], total: 1, has_more: false, next_cursor: null } },
      },
      getSensor: { params, query: {}, responses: { 200: sensor } },
      deleteSensor: {
        params,
        query: {},
        responses: { 200: { status: 'deleted', sensor_id: asked.sensor_id, readings: 120 } },
      },
      storeReadings: {
        params,
        query: {},
        body: { readings: [{ value: 21 }, { value: 21.5 }], unit: '°C' },
        responses: { 202: { accepted: 2, rejected: 0, errors: [], last_seq: 120, spikes: 1 } },
      },
      listReadings: {
        params,
        query: { from: '2026-11-22T10:00:00Z', limit: '100' },
        responses: {
          200: {
            sensor_id: asked.sensor_id,
            unit: asked.unit,
            encoding: sensor.encoding,
            readings,
            has_more: false,
            next_cursor: null,
          },
        },
      },
      readingSeries: {
        params,
        query: { from: '2026-11-22T10:00:00Z', to: '2026-11-22T10:01:00Z', steps: '60' },
        responses: {
          200: {
            sensor_id: asked.sensor_id,
            unit: asked.unit,
            from: '2026-11-22T10:00:00.000Z',
            to: '2026-11-22T10:01:00.000Z',
            step_ms: 1_000,
            readings: 1,
            points: [
              {
                at: '2026-11-22T10:00:59.000Z',
                readings: 1,
                min: 21,
                mean: 21,
                max: 21,
                on: 0,
                off: 0,
              },
            ],
          },
        },
      },
      followReadings: {
        params,
        query: { after: '118' },
        responses: {
          200: {
            'text/event-stream': `id: 120\nevent: readings\ndata: ${JSON.stringify({ readings })}\n\n`,
          },
        },
      },
    },
  });
};
