import type { logEndpoints } from './endpoints.ts';
import type { LogMessage, NewLogMessageInput } from './contract/log-message.ts';
import type { ExamplesOf } from '../api-description/description.ts';

const said = {
  message: 'The prompt went to lang-main: visual has no active node.',
  level: 'warn',
  source: 'pfc-1',
  module_type: 'pfc',
  event: 'route_fallback',
  data: { target: 'visual', topic: 'pfc/text_prompt' },
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
} satisfies NewLogMessageInput;

const log: LogMessage = {
  type: 'log',
  id: 'log_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
  seq: 1042,
  timestamp: '2026-11-20T10:00:00Z',
  ...said,
  owner: 'key:3f8k2m9qv0ab',
  team: 'vision',
};

export const logExamples: ExamplesOf<typeof logEndpoints> = {
  publishLog: {
    query: {},
    body: said,
    answers: { 202: { id: log.id, seq: log.seq, delivered: 3, dropped: 0 } },
  },
  publishLogs: {
    query: {},
    body: { logs: [said, { message: 'lang-main answers.' }] },
    answers: {
      202: { accepted: 2, first_seq: 1042, last_seq: 1043, delivered: 6, dropped: 0 },
    },
  },
  searchLogs: {
    query: { text: 'lang-main', level: 'warn', limit: '50' },
    answers: { 200: { logs: [log], has_more: false, next_cursor: null } },
  },
  getLogMetrics: {
    query: {},
    answers: {
      200: {
        send_timeouts: 1,
        broadcast_drops: 512,
        persist_drops: 0,
        connected_clients: 3,
        last_update: '2026-11-20T10:00:00Z',
      },
    },
  },
  streamLogs: {
    query: { level: 'warn', since_seq: '1041', batch: 'true' },
    answers: { 101: null },
  },
};
