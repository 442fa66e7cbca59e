import { type Endpoints, post, get, del } from '../contract/endpoint.ts';
import * as sensorReadingSchemas from './contract/reading.ts';
import * as sensorSchemas from './contract/sensor.ts';
import * as sensorEncodingSchemas from './contract/encoding.ts';
import { describe, fromBody, linksTo } from '../contract/endpoint-docs.ts';

/** Sensors: what they measure becomes spikes, is followed live, and is remembered window by window. */
export const sensorEndpoints = {
  registerSensor: post('/v1/sensor/register', 'memory:write', {
    summary:
      'Registers a sensor, or renews its registration. Its type and unit stay as they were first said.',
    body: sensorSchemas.NewSensor,
    responses: { 200: sensorSchemas.SensorRecord, 201: sensorSchemas.SensorRecord },
    problems: ['already_exists', 'limit_reached', 'quota_exceeded'],
  }),
  listSensors: get('/v1/sensor/sensors', 'memory:read', {
    summary: 'The sensors of the caller, the latest registered first.',
    query: sensorSchemas.SensorQuery,
    responses: { 200: sensorSchemas.SensorList },
  }),
  getSensor: get('/v1/sensor/sensors/:sensor_id', 'memory:read', {
    summary: 'One sensor.',
    query: sensorSchemas.SensorOwner,
    responses: { 200: sensorSchemas.SensorRecord },
    problems: ['sensor_not_found'],
  }),
  deleteSensor: del('/v1/sensor/sensors/:sensor_id', 'memory:write', {
    summary: 'Deletes a sensor with its readings; what is remembered of them stays.',
    query: sensorSchemas.SensorOwner,
    responses: { 200: sensorSchemas.SensorDeleted },
    problems: ['sensor_not_found'],
  }),
  storeReadings: post('/v1/sensor/sensors/:sensor_id/readings', 'memory:write', {
    summary: 'Stores readings, the oldest first; each is taken or refused by itself.',
    body: sensorReadingSchemas.NewReadings,
    responses: { 202: sensorReadingSchemas.StoredReadings },
    problems: ['sensor_not_found', 'rate_limited'],
  }),
  listReadings: get('/v1/sensor/sensors/:sensor_id/readings', 'memory:read', {
    summary: 'Readings of a time with their spikes.',
    query: sensorReadingSchemas.ReadingQuery,
    responses: { 200: sensorReadingSchemas.ReadingList },
    problems: ['sensor_not_found'],
  }),
  readingSeries: get('/v1/sensor/sensors/:sensor_id/series', 'memory:read', {
    summary: 'The readings of a time in steps: how many, between what, and their spikes.',
    query: sensorReadingSchemas.ReadingSeriesQuery,
    responses: { 200: sensorReadingSchemas.ReadingSeries },
    problems: ['sensor_not_found'],
  }),
  followReadings: get('/v1/sensor/sensors/:sensor_id/stream', 'memory:read', {
    summary:
      'Readings with their spikes as they come (see ReadingEvent) where Accept names text/event-stream; else those there are.',
    query: sensorReadingSchemas.ReadingStreamQuery,
    headers: { 'last-event-id': 'Goes on after the reading with this `seq`.' },
    responses: { 200: { media: ['text/event-stream'] } },
    problems: ['sensor_not_found'],
  }),
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

  const sensor: sensorSchemas.SensorRecord = {
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

  const readings: sensorReadingSchemas.Reading[] = [
    { seq: 119, at: '2026-11-22T10:00:59.500Z', value: 21, spikes: { on: [], off: [] } },
    { seq: 120, at: '2026-11-22T10:01:00.000Z', value: 21.5, spikes: { on: [0], off: [] } },
  ];

  const params = { sensor_id: asked.sensor_id };

  const ofSensor = { sensor_id: fromBody('sensor_id') };
  const sensorLinks = {
    ...linksTo(ofSensor, 'getSensor', 'storeReadings', 'listReadings'),
    ...linksTo(ofSensor, 'readingSeries', 'followReadings', 'deleteSensor'),
  };

  return describe(sensorEndpoints, {
    schemas: [sensorSchemas, sensorEncodingSchemas, sensorReadingSchemas],
    params: {
      'sensors/:sensor_id': { description: 'The sensor.', schema: sensorSchemas.SensorId },
    },
    operations: {
      registerSensor: {
        body: asked,
        responses: { 200: sensor, 201: sensor },
        links: { 200: sensorLinks, 201: sensorLinks },
      },
      listSensors: {
        query: { type: 'temperature', limit: '20' },
        answer: { sensors: [sensor], total: 1, has_more: false, next_cursor: null },
      },
      getSensor: { params, answer: sensor },
      deleteSensor: {
        params,
        answer: { status: 'deleted', sensor_id: asked.sensor_id, readings: 120 },
      },
      storeReadings: {
        params,
        body: { readings: [{ value: 21 }, { value: 21.5 }], unit: '°C' },
        answer: { accepted: 2, rejected: 0, errors: [], last_seq: 120, spikes: 1 },
      },
      listReadings: {
        params,
        query: { from: '2026-11-22T10:00:00Z', limit: '100' },
        answer: {
          sensor_id: asked.sensor_id,
          unit: asked.unit,
          encoding: sensor.encoding,
          readings,
          has_more: false,
          next_cursor: null,
        },
      },
      readingSeries: {
        params,
        query: { from: '2026-11-22T10:00:00Z', to: '2026-11-22T10:01:00Z', steps: '60' },
        answer: {
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
      followReadings: {
        params,
        query: { after: '118' },
        answer: {
          'text/event-stream': `id: 120\nevent: readings\ndata: ${JSON.stringify({ readings })}\n\n`,
        },
      },
    },
  });
};
