import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import {
  NewReadings,
  ReadingList,
  ReadingQuery,
  ReadingSeries,
  ReadingStreamQuery,
  ReadingSeriesQuery,
  StoredReadings,
} from './contract/reading.ts';
import {
  NewSensor,
  SensorDeleted,
  SensorList,
  SensorOwner,
  SensorQuery,
  SensorRecord,
} from './contract/sensor.ts';

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
    answers: { 200: SensorRecord, 201: SensorRecord },
    problems: ['already_exists', 'limit_reached', 'quota_exceeded'],
  },
  listSensors: {
    method: 'GET',
    path: '/v1/sensor/sensors',
    summary: 'The sensors of the caller, the latest registered first.',
    access: 'memory:read',
    query: SensorQuery,
    answers: { 200: SensorList },
  },
  getSensor: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id',
    summary: 'One sensor.',
    access: 'memory:read',
    query: SensorOwner,
    answers: { 200: SensorRecord },
    problems: ['sensor_not_found'],
  },
  deleteSensor: {
    method: 'DELETE',
    path: '/v1/sensor/sensors/:sensor_id',
    summary: 'Deletes a sensor with its readings; what is remembered of them stays.',
    access: 'memory:write',
    query: SensorOwner,
    answers: { 200: SensorDeleted },
    problems: ['sensor_not_found'],
  },
  storeReadings: {
    method: 'POST',
    path: '/v1/sensor/sensors/:sensor_id/readings',
    summary: 'Stores readings, the oldest first; each is taken or refused by itself.',
    access: 'memory:write',
    query: z.strictObject({}),
    body: NewReadings,
    answers: { 202: StoredReadings },
    problems: ['sensor_not_found', 'rate_limited'],
  },
  listReadings: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id/readings',
    summary: 'Readings of a time with their spikes.',
    access: 'memory:read',
    query: ReadingQuery,
    answers: { 200: ReadingList },
    problems: ['sensor_not_found'],
  },
  readingSeries: {
    method: 'GET',
    path: '/v1/sensor/sensors/:sensor_id/series',
    summary: 'The readings of a time in steps: how many, between what, and their spikes.',
    access: 'memory:read',
    query: ReadingSeriesQuery,
    answers: { 200: ReadingSeries },
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
    answers: { 200: { media: ['text/event-stream'] } },
    problems: ['sensor_not_found'],
  },
} as const satisfies Endpoints;
