import {
  descriptionFile,
  type OperationRefusals,
  problemEndpoints,
  REFUSALS_FILE,
} from '../api-description/endpoints.ts';
import { PROBLEMS } from '../contract/problem.ts';
import type { Env } from '../env.ts';
import type { Call } from '../http/call.ts';
import { describedRoutes } from '../http/openapi.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, type Route, routesOf } from '../http/route.ts';

/** /openapi.json: the description of one service, or, at the gateway, of the whole platform. */
export const openApiRoutes = (service: string): readonly Route<Env>[] =>
  describedRoutes(async (call) => (await builtFile(call, descriptionFile(service))).text());

type Handled = CallOf<Env, (typeof problemEndpoints)['problemMeaning']>;
type Reply = Promise<ReplyOf<(typeof problemEndpoints)['problemMeaning']>>;

/** /problems/{code}: the page that the `type` of a problem links to. */
export const problemRoutes = routesOf<Env, typeof problemEndpoints>(problemEndpoints, {
  async problemMeaning(call: Handled): Reply {
    const { code } = call.params;
    if (!isProblemCode(code)) {
      throw new Problem('route_not_found', `There is no problem with the code ${code}.`);
    }
    const { title, status, ...kind } = PROBLEMS[code];
    const type = `/problems/${code}`;
    const retryable = 'retryable' in kind;
    const operations = await operationsWith(code, call);
    return { status: 200, body: { type, code, title, status, retryable, operations } };
  },
});

const isProblemCode = (code: string): code is keyof typeof PROBLEMS =>
  Object.hasOwn(PROBLEMS, code);

type FileCall = Pick<Call<Env>, 'env' | 'url'>;

// Plain data: a promise of one request must not be awaited by another.
let refusals: readonly OperationRefusals[] | undefined;

async function operationsWith(code: string, call: FileCall) {
  refusals ??= await (await builtFile(call, REFUSALS_FILE)).json<OperationRefusals[]>();
  return refusals
    .filter(({ codes }) => codes.includes(code))
    .map(({ operation_id, method, path }) => ({ operation_id, method, path }));
}

/**
 * A file generated from the contract by the build (edge/api-description/platform.ts), so that none
 * of its code is in the Worker.
 */
async function builtFile({ env, url }: FileCall, path: string): Promise<Response> {
  const file = await env.ASSETS.fetch(new URL(`/${path}`, url));
  if (file.ok) return file;
  const detail = `The dashboard of this deployment has no ${path}: build it with "npm run build".`;
  throw new Problem('internal', detail);
}
