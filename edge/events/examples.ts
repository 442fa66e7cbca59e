import type { eventEndpoints } from './endpoints.ts';
import type { ExamplesOf } from '../api-description/description.ts';

export const eventExamples: ExamplesOf<typeof eventEndpoints> = {
  listPlatformEvents: {
    query: { type: ['job.status', 'failover.executed'], after: '1041' },
    answers: {
      200: {
        events: [
          {
            id: 'evt_01JD4XQ2T5W8Z3B6C9E0F2G4H7',
            seq: 1042,
            type: 'job.status',
            subject: 'job_01JD4XPZ8N3Q6R9S1T4V7W0Y2Z',
            time: '2026-11-20T10:00:00Z',
            team: 'vision',
            data: {
              job_id: 'job_01JD4XPZ8N3Q6R9S1T4V7W0Y2Z',
              level: 'info',
              message: 'running',
              from: 'queued',
              to: 'running',
            },
          },
        ],
        gaps: [],
        has_more: false,
      },
    },
  },
};
