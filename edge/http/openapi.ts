import { digestOf } from '../contract/digest.ts';
import { openApiEndpoints } from '../contract/openapi-endpoints.ts';
import { preconditionOf } from './conditional.ts';
import { type Route, routesOf } from './route.ts';

/** A description as it is made; where its paths lie depends on who asks for it. */
interface Description {
  readonly servers: unknown;
}

interface Written {
  readonly text: string;
  readonly etag: string;
}

/** /openapi.json: a description, which is made when it is first asked for, and kept. */
export function describedRoutes<E>(
  describe: () => Description | Promise<Description>,
): readonly Route<E>[] {
  // Plain data: a promise of one request must not be waited for by another.
  let written: Written | undefined;
  return routesOf<E, typeof openApiEndpoints>(openApiEndpoints, {
    async openApi({ request, prefix }) {
      written ??= await write(await describe());
      const { text, etag } = written;
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

async function write(description: Description): Promise<Written> {
  const text = JSON.stringify({ ...description, servers: undefined });
  const digest = digestOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return { text, etag: `"${digest}"` };
}
