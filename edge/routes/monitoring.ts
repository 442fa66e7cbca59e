import { guard } from '../auth/guard.ts';
import type { Env } from '../env.ts';
import { createService } from '../http/service.ts';
import { healthRoutes } from './health.ts';

/** Monitoring: what the services measure, over time, and what is wrong with them. */
export const serveMonitoring = createService<Env>({
  guard,
  routes: [...healthRoutes<Env>('monitoring', {})],
});
