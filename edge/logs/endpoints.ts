import { type Endpoints, post, get } from '../contract/endpoint.ts';
import * as logMessageSchemas from './contract/log-message.ts';
import * as logQuerySchemas from './contract/log-query.ts';
import { describe } from '../contract/endpoint-docs.ts';

/** The log of the distributed brain: published, streamed, searched and counted. */
export const logEndpoints = {
  publishLog: post('/distributed_brain/publish_log', 'logs:write', {
    summary: 'Publishes a message to all who follow the log, and keeps it.',
    body: logMessageSchemas.NewLogMessage,
    maxBodyBytes: logMessageSchemas.LOG_LIMITS.bytes,
    responses: { 202: logMessageSchemas.PublishedLog },
  }),
  publishLogs: post('/distributed_brain/publish_logs', 'logs:write', {
    summary: 'Publishes several messages in their order, with one request.',
    body: logMessageSchemas.NewLogMessages,
    responses: { 202: logMessageSchemas.PublishedLogs },
  }),
  searchLogs: get('/distributed_brain/logs', 'logs:read', {
    summary: 'The kept messages, the latest first.',
    query: logQuerySchemas.LogQuery,
    lists: logQuerySchemas.LOG_LISTS,
    responses: { 200: logQuerySchemas.LogList },
  }),
  getLogMetrics: get('/distributed_brain/metrics', 'metrics:read', {
    summary: 'The counters of the log stream.',
    responses: { 200: logMessageSchemas.LogMetrics },
  }),
  streamLogs: get('/ws/distributed_brain/logs', 'logs:read', {
    summary:
      'The messages as they come, over a WebSocket. It asks for credentials also where nothing else does: a header, the subprotocol `bearer.<base64url>` beside `spikegrid.logs.v1`, or a ticket.',
    query: logQuerySchemas.LogStreamQuery,
    lists: logQuerySchemas.LOG_LISTS,
    responses: { 101: null },
    problems: ['upgrade_required'],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const logDocs = () => {
  const said = {
    message: 'The prompt went to lang-main: visual has no active node.',
    level: 'warn',
    source: 'pfc-1',
    module_type: 'pfc',
    event: 'route_fallback',
    data: { target: 'visual', topic: 'pfc/text_prompt' },
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  } satisfies logMessageSchemas.NewLogMessageInput;

  const log: logMessageSchemas.LogMessage = {
    type: 'log',
    id: 'log_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
    seq: 1042,
    timestamp: '2026-11-20T10:00:00Z',
    ...said,
    owner: 'key:3f8k2m9qv0ab',
    team: 'vision',
  };

  return describe(logEndpoints, {
    schemas: [logMessageSchemas, logQuerySchemas],
    params: {},
    operations: {
      publishLog: {
        body: said,
        answer: { id: log.id, seq: log.seq, delivered: 3, dropped: 0 },
      },
      publishLogs: {
        body: { logs: [said, { message: 'lang-main answers.' }] },
        answer: { accepted: 2, first_seq: 1042, last_seq: 1043, delivered: 6, dropped: 0 },
      },
      searchLogs: {
        query: { text: 'lang-main', level: 'warn', limit: '50' },
        answer: { logs: [log], has_more: false, next_cursor: null },
      },
      getLogMetrics: {
        answer: {
          send_timeouts: 1,
          broadcast_drops: 512,
          persist_drops: 0,
          connected_clients: 3,
          last_update: '2026-11-20T10:00:00Z',
        },
      },
      streamLogs: {
        query: { level: 'warn', since_seq: '1041', batch: 'true' },
        answer: null,
      },
    },
  });
};
