import type { Services } from '../../trainer/job-messages.ts';
import { sessionHeaders } from './own-fetch.ts';

/** The services that a trainer or an upload in a worker talks to, as the page may talk to them now. */
export const trainingServices = (): Services => ({
  gateway: { base: '', headers: { ...sessionHeaders } },
  training: { base: '/training', headers: { ...sessionHeaders } },
  registry: { base: '/registry', headers: { ...sessionHeaders } },
});
