import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { onStopSignal } from '../../compute/process/stop-signals.ts';
import { BaseService } from '../../compute/service/base-service.ts';
import type { Endpoints } from '../../edge/contract/endpoint.ts';
import type { HealthCheck } from '../../edge/health/contract/health.ts';
import { routesOf } from '../../edge/http/route.ts';

/*
 * A microservice of one's own, as compose.yaml starts it beside the platform. Behind the gateway it is
 * at /greeting/hello?name=Ada. GATEWAY, SERVICE_PORT and KEY_FILE (a key with the scope admin) set it up.
 */

const endpoints = {
  hello: {
    method: 'GET',
    path: '/hello',
    summary: 'Greets somebody.',
    access: 'authenticated',
    query: z.strictObject({ name: z.string().check(z.minLength(1), z.maxLength(64)) }),
    responses: { 200: z.object({ greeting: z.string() }) },
  },
} as const satisfies Endpoints;

interface Greeter {
  readonly greetingFor: (name: string) => string;
}

class Greeting extends BaseService<Greeter> {
  readonly facts = { name: 'greeting', tags: ['example'] };

  /** Where a service opens files, models or connections. */
  async initialize(): Promise<Greeter> {
    return { greetingFor: (name) => `Hello ${name}.` };
  }

  async healthCheck(): Promise<HealthCheck> {
    return { status: 'ok', detail: 'It greets.' };
  }

  protected routes() {
    return routesOf<Greeter, typeof endpoints>(endpoints, {
      hello: async ({ env, query }) => ({
        status: 200,
        body: { greeting: env.greetingFor(query.name) },
      }),
    });
  }

  protected async release(): Promise<void> {}
}

const { GATEWAY = 'http://127.0.0.1:8000', KEY_FILE, SERVICE_PORT = '8010' } = process.env;
const key = KEY_FILE === undefined ? undefined : readFileSync(KEY_FILE, 'utf8').trim();
const service = new Greeting({
  gateway: GATEWAY,
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  host: '127.0.0.1',
  port: Number(SERVICE_PORT),
  auth: key === undefined ? 'local' : 'required',
});
await service.start();
console.error(`greeting at http://127.0.0.1:${service.port}; Ctrl-C stops`);
onStopSignal(() => void service.stop());
