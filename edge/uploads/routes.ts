import type { Endpoint } from '../contract/endpoint.ts';
import { TUS_VERSION } from './contract/tus.ts';
import { uploadEndpoints } from './endpoints.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { type Route, routesOf } from '../http/route.ts';
import { methodNotAllowed, type Serve } from '../http/service.ts';
import { modelUploads } from '../registry/model-uploads.ts';
import type { TusHandlers } from './resumable-upload.ts';
import { TUS_DESCRIPTION } from './tus-request.ts';

type Endpoints = Readonly<Record<keyof typeof uploadEndpoints, Endpoint>>;
type Handle = (call: unknown) => Promise<Response>;

/** The endpoints of one kind of resource with what answers them. */
export function tusRoutes<Name extends string>(
  endpoints: Endpoints,
  handlers: TusHandlers<Name>,
): readonly Route<Env>[] {
  // The paths of the endpoints have the names that the handlers ask for.
  const { create, append, show, end } = handlers as unknown as Record<
    keyof TusHandlers<Name>,
    Handle
  >;
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
  call: Pick<Call<Env>, 'request' | 'url'>,
  handlers: Readonly<Record<string, Handle>>,
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
