import type { Reading } from './contract/reading.ts';
import type { SensorRecord } from './contract/sensor.ts';
import type { sensorEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

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

export const sensorExamples: ExamplesOf<typeof sensorEndpoints> = {
  registerSensor: { query: {}, body: asked, answers: { 200: sensor, 201: sensor } },
  listSensors: {
    query: { type: 'temperature', limit: '20' },
    answers: { 200: { sensors: [sensor], total: 1, has_more: false, next_cursor: null } },
  },
  getSensor: { params, query: {}, answers: { 200: sensor } },
  deleteSensor: {
    params,
    query: {},
    answers: { 200: { status: 'deleted', sensor_id: asked.sensor_id, readings: 120 } },
  },
  storeReadings: {
    params,
    query: {},
    body: { readings: [{ value: 21 }, { value: 21.5 }], unit: '°C' },
    answers: { 202: { accepted: 2, rejected: 0, errors: [], last_seq: 120, spikes: 1 } },
  },
  listReadings: {
    params,
    query: { from: '2026-11-22T10:00:00Z', limit: '100' },
    answers: {
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
    answers: {
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
    answers: {
      200: {
        'text/event-stream': `id: 120\nevent: readings\ndata: ${JSON.stringify({ readings })}\n\n`,
      },
    },
  },
};
