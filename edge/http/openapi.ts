import { digestOf } from '../contract/digest.ts';
import { openApiEndpoints } from '../api-description/endpoints.ts';
import { preconditionOf } from './conditional.ts';
import type { Call } from './call.ts';
import { type Route, routesOf } from './route.ts';

interface Written {
  readonly text: string;
  readonly etag: string;
}

/**
 * /openapi.json: a description, read with the first request and cached. Its `servers` depend on the
 * request, so the text has none.
 */
export function describedRoutes<E>(
  read: (call: Pick<Call<E>, 'env' | 'url'>) => Promise<string>,
): readonly Route<E>[] {
  // Plain data: a promise of one request must not be waited for by another.
  let written: Written | undefined;
  return routesOf<E, typeof openApiEndpoints>(openApiEndpoints, {
    async openApi(call) {
      const { request, prefix } = call;
      written ??= await write(await read(call));
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

async function write(text: string): Promise<Written> {
  const digest = digestOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return { text, etag: `"${digest}"` };
}
