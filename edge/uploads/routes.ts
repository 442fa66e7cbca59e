import type { Endpoint } from '../contract/endpoint.ts';
import { TUS_VERSION } from './contract/tus.ts';
import { uploadEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import { type Route, routesOf } from '../http/route.ts';
import { methodNotAllowed, type Serve } from '../http/service.ts';
import { modelUploads } from '../registry/model-uploads.ts';
import type { TusCall, TusHandlers } from './tus-handlers.ts';
import { TUS_DESCRIPTION } from './tus-request.ts';

type Endpoints = Readonly<Record<keyof typeof uploadEndpoints, Endpoint>>;

/** The endpoints of one kind of resource with their handlers. */
export function tusRoutes(
  endpoints: Endpoints,
  { create, append, show, end }: TusHandlers,
): readonly Route<Env>[] {
  return routesOf<Env, Endpoints>(endpoints, {
    describeUploads: () => new Response(null, { status: 204, headers: TUS_DESCRIPTION }),
    createUpload: create,
    showUpload: show,
    continueUpload: append,
    overrideUpload: (call) => overridden(call, { HEAD: show, PATCH: append, DELETE: end }),
    endUpload: end,
  });
}

/** tus, X-HTTP-Method-Override: the header is the method, whatever the method is. */
function overridden(
  call: TusCall,
  handlers: Readonly<Record<string, TusHandlers['append']>>,
): Promise<Response> {
  const meant = call.request.headers.get('x-http-method-override')?.toUpperCase() ?? 'POST';
  const handle = handlers[meant];
  if (handle) return handle(call);
  throw methodNotAllowed(meant, call.url.pathname, Object.keys(handlers).join(', '));
}

/** /models/{id}/uploads: files of versions. */
export const uploadRoutes = tusRoutes(uploadEndpoints, modelUploads);

/** Has every answer about uploads, refusals too, name the protocol, as it demands. */
export function speakTus(serve: Serve<Env>): Serve<Env> {
  return async (request, env, ctx) => {
    const answer = await serve(request, env, ctx);
    if (/\/(?:models|datasets)\/[^/]+\/uploads(?:[/?]|$)/.test(request.url)) {
      answer.headers.set('tus-resumable', TUS_VERSION);
    }
    return answer;
  };
}
