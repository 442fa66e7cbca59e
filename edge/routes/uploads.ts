import { TUS_VERSION } from '../contract/tus.ts';
import { uploadEndpoints } from '../contract/upload-endpoints.ts';
import type { Env } from '../env.ts';
import { type CallOf, routesOf } from '../http/route.ts';
import { methodNotAllowed, type Serve } from '../http/service.ts';
import {
  continueUpload,
  createUpload,
  endUpload,
  showUpload,
} from '../registry/resumable-upload.ts';
import { TUS_DESCRIPTION } from '../registry/tus-request.ts';

type Endpoints = typeof uploadEndpoints;
type UploadCall = CallOf<Env, Endpoints['continueUpload']>;

/** /models/{id}/uploads: resumable uploads. */
export const uploadRoutes = routesOf<Env, Endpoints>(uploadEndpoints, {
  describeUploads: () => new Response(null, { status: 204, headers: TUS_DESCRIPTION }),
  createUpload,
  showUpload,
  continueUpload,
  overrideUpload,
  endUpload,
});

const OVERRIDES: Readonly<Record<string, (call: UploadCall) => Promise<Response>>> = {
  HEAD: showUpload,
  PATCH: continueUpload,
  DELETE: endUpload,
};

/** tus, X-HTTP-Method-Override: the header is the method, whatever the method is. */
function overrideUpload(call: UploadCall): Promise<Response> {
  const meant = call.request.headers.get('x-http-method-override')?.toUpperCase() ?? 'POST';
  const handle = OVERRIDES[meant];
  if (handle) return handle(call);
  throw methodNotAllowed(meant, call.url.pathname, Object.keys(OVERRIDES).join(', '));
}

/** Has every answer about uploads, refusals too, name the protocol, as it demands. */
export function speakTus(serve: Serve<Env>): Serve<Env> {
  return async (request, env, ctx) => {
    const answer = await serve(request, env, ctx);
    if (/\/models\/[^/]+\/uploads(?:[/?]|$)/.test(request.url)) {
      answer.headers.set('tus-resumable', TUS_VERSION);
    }
    return answer;
  };
}
