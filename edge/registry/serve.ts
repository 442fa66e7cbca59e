import { middleware } from '../access/middleware.ts';
import type { Env } from '../env.ts';
import { createService } from '../http/service.ts';
import { registryOf } from './registry-stub.ts';
import { type Check, healthRoutes, ownMetricsRoutes } from '../health/routes.ts';
import { openApiRoutes } from '../gateway/description-routes.ts';
import { modelRoutes } from './model-routes.ts';
import { speakTus, uploadRoutes } from '../uploads/routes.ts';

const checks: Record<string, Check<Env>> = {
  database: async ({ env }) => {
    const models = await registryOf(env).countModels(undefined);
    return { status: 'ok', detail: `It holds ${models} models.` };
  },
  files: async ({ env }) => {
    // Any key will do: what counts is that the bucket answers.
    await env.FILES.head('files/health');
    return { status: 'ok', detail: 'The bucket answers.' };
  },
};

/** The model registry: what was trained, in which versions, and its files. */
export const serve = speakTus(
  createService<Env>({
    ...middleware,
    name: 'registry',
    routes: [
      ...healthRoutes('registry', checks),
      ...ownMetricsRoutes('registry'),
      ...openApiRoutes('registry'),
      ...modelRoutes,
      ...uploadRoutes,
    ],
  }),
);
