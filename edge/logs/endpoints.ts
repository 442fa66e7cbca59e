import * as z from 'zod/mini';
import type { Endpoints } from '../contract/endpoint.ts';
import {
  LOG_LIMITS,
  LogMetrics,
  NewLogMessage,
  NewLogMessages,
  PublishedLog,
  PublishedLogs,
} from './contract/log-message.ts';
import { LOG_LISTS, LogList, LogQuery, LogStreamQuery } from './contract/log-query.ts';

/** The log of the distributed brain: published, streamed, searched and counted. */
export const logEndpoints = {
  publishLog: {
    method: 'POST',
    path: '/distributed_brain/publish_log',
    summary: 'Publishes a message to all who follow the log, and keeps it.',
    access: 'logs:write',
    query: z.strictObject({}),
    body: NewLogMessage,
    maxBodyBytes: LOG_LIMITS.bytes,
    answers: { 202: PublishedLog },
  },
  publishLogs: {
    method: 'POST',
    path: '/distributed_brain/publish_logs',
    summary: 'Publishes several messages in their order, with one request.',
    access: 'logs:write',
    query: z.strictObject({}),
    body: NewLogMessages,
    answers: { 202: PublishedLogs },
  },
  searchLogs: {
    method: 'GET',
    path: '/distributed_brain/logs',
    summary: 'The kept messages, the latest first.',
    access: 'logs:read',
    query: LogQuery,
    lists: LOG_LISTS,
    answers: { 200: LogList },
  },
  getLogMetrics: {
    method: 'GET',
    path: '/distributed_brain/metrics',
    summary: 'The counters of the log stream.',
    access: 'metrics:read',
    query: z.strictObject({}),
    answers: { 200: LogMetrics },
  },
  streamLogs: {
    method: 'GET',
    path: '/ws/distributed_brain/logs',
    summary:
      'The messages as they come, over a WebSocket. It asks for credentials also where nothing else does: a header, the subprotocol `bearer.<base64url>` beside `spikegrid.logs.v1`, or a ticket.',
    access: 'logs:read',
    query: LogStreamQuery,
    lists: LOG_LISTS,
    answers: { 101: null },
    problems: ['upgrade_required'],
  },
} as const satisfies Endpoints;
