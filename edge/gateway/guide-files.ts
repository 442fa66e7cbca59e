import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { Problem } from '../http/problem.ts';
import { methodNotAllowed } from '../http/service.ts';
import { GUIDE_PREFIX } from './contract/pages.ts';
import {
  dashboardHeaders,
  IMMUTABLE,
  isReading,
  readAsset,
  REVALIDATE,
  wantsPage,
} from './dashboard-files.ts';

/** Its name at the root, where no slash would make relative links of it wrong. */
const ENTRY = GUIDE_PREFIX.slice(0, -1);
const HASHED = `${GUIDE_PREFIX}assets/`;

/** A page or a file of the guide at this path, or undefined where the path is not one of its own. */
export async function guideResponse(call: Call<Env>): Promise<Response | undefined> {
  const { request, url } = call;
  const path = url.pathname;
  if (path !== ENTRY && !path.startsWith(GUIDE_PREFIX)) return undefined;
  if (!isReading(request.method)) throw methodNotAllowed(request.method, path, 'GET, HEAD');
  if (path === ENTRY) return Response.redirect(new URL(GUIDE_PREFIX, url).href, 308);
  const file = await readAsset(call, fileOf(path), 'current');
  if (file.status === 404) return missing(call);
  const caching = path.startsWith(HASHED) ? IMMUTABLE : REVALIDATE;
  const headers = dashboardHeaders(file, call, caching);
  return new Response(file.body, { status: file.status, headers });
}

/** Pages are files that end with `.html`, and may be asked for without it. */
function fileOf(path: string): string {
  if (path.endsWith('/')) return `${path}index.html`;
  return /\.[a-z0-9]+$/.test(path) ? path : `${path}.html`;
}

/** The guide's own 404 page, or how to build it; programs get a problem document. */
async function missing(call: Call<Env>): Promise<Response> {
  const page = await readAsset(call, `${GUIDE_PREFIX}404.html`, 'always');
  const isBuilt = page.status !== 404;
  if (!wantsPage(call.request)) {
    const detail = isBuilt
      ? `The guide has nothing at ${call.url.pathname}.`
      : 'The guide is not built here: npm run guide builds it.';
    throw new Problem('route_not_found', detail);
  }
  const headers = dashboardHeaders(page, call, REVALIDATE);
  headers.append('vary', 'accept');
  if (isBuilt) return new Response(page.body, { status: 404, headers });
  headers.set('content-type', 'text/html; charset=utf-8');
  return new Response(call.request.method === 'HEAD' ? null : NOT_BUILT, { status: 404, headers });
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <meta name="color-scheme" content="light dark" />
  <title>The guide is not built - spikegrid</title>
  <h1>The guide is not built here</h1>
  <p>Run <code>npm run guide</code> in the folder of spikegrid, then start the platform again.</p>
  <p>Its pages are also files of that folder, from <code>docs/quickstart.md</code> on.</p>
  <p><a href="/">Back to the dashboard</a></p>
</html>
`;
