import { digestOf } from '../contract/digest.ts';
import { openApiEndpoints, problemEndpoints } from '../contract/openapi-endpoints.ts';
import { PROBLEMS } from '../contract/problem.ts';
import type { Env } from '../env.ts';
import { preconditionOf } from '../http/conditional.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, type Route, routesOf } from '../http/route.ts';
import { operationsOf } from '../openapi/generate.ts';
import { documentOf, PLATFORM } from '../openapi/platform.ts';
import { refusalsOf } from '../openapi/refusals.ts';
import type { DescribedService } from '../openapi/services.ts';

interface Written {
  readonly text: string;
  readonly etag: string;
}

/**
 * Written when it is first asked for, and kept as long as the isolate lives. What is kept is plain
 * data: a promise of one request must not be waited for by another.
 */
const written = new Map<DescribedService, Written>();

/** /openapi.json: the description of one service, or, at the gateway, of the whole platform. */
export function openApiRoutes(service: DescribedService): readonly Route<Env>[] {
  return routesOf<Env, typeof openApiEndpoints>(openApiEndpoints, {
    async openApi({ request, prefix }) {
      const document = written.get(service) ?? (await write(service));
      written.set(service, document);
      const { text, etag } = document;
      const headers = { etag, 'cache-control': 'no-cache', 'content-type': 'application/json' };
      if (preconditionOf(request.headers, etag) === 'not-modified') {
        return new Response(null, { status: 304, headers });
      }
      // Paths hold below the prefix that the gateway took off.
      const servers = JSON.stringify([{ url: prefix || '/' }]);
      return new Response(`{"servers":${servers},${text.slice(1)}`, { headers });
    },
  });
}

async function write(service: DescribedService): Promise<Written> {
  const text = JSON.stringify(documentOf(service));
  const digest = digestOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return { text, etag: `"${digest}"` };
}

type Handled = CallOf<Env, (typeof problemEndpoints)['problemMeaning']>;

/** /problems/{code}: where the `type` of a problem leads. */
export const problemRoutes = routesOf<Env, typeof problemEndpoints>(problemEndpoints, {
  problemMeaning({ params }: Handled): ReplyOf<(typeof problemEndpoints)['problemMeaning']> {
    const { code } = params;
    if (!isProblemCode(code)) {
      throw new Problem('route_not_found', `There is no problem with the code ${code}.`);
    }
    const { title, status, ...kind } = PROBLEMS[code];
    const type = `/problems/${code}`;
    const retryable = 'retryable' in kind;
    const operations = operationsWith(code);
    return { status: 200, body: { type, code, title, status, retryable, operations } };
  },
});

const isProblemCode = (code: string): code is keyof typeof PROBLEMS =>
  Object.hasOwn(PROBLEMS, code);

const operationsWith = (code: keyof typeof PROBLEMS) =>
  [...operationsOf(PLATFORM)]
    .filter(({ endpoint, described }) => refusalsOf(endpoint, described.reach).has(code))
    .map(({ path, endpoint, described }) => ({
      operation_id: `${described.service}_${described.name}`,
      method: endpoint.method,
      path,
    }));
