import { problemEndpoints } from '../contract/openapi-endpoints.ts';
import { PROBLEMS } from '../contract/problem.ts';
import type { Env } from '../env.ts';
import { describedRoutes } from '../http/openapi.ts';
import { Problem } from '../http/problem.ts';
import { type CallOf, type ReplyOf, type Route, routesOf } from '../http/route.ts';
import type { DescribedService } from '../openapi/services.ts';

/** /openapi.json: the description of one service, or, at the gateway, of the whole platform. */
export const openApiRoutes = (service: DescribedService): readonly Route<Env>[] =>
  describedRoutes(async () => (await loadDescriptions()).documentOf(service));

/** Only now: what they are made of takes a sixth of the Worker's start, and few starts need it. */
const loadDescriptions = () => import('../openapi/platform.ts');

type Handled = CallOf<Env, (typeof problemEndpoints)['problemMeaning']>;
type Reply = Promise<ReplyOf<(typeof problemEndpoints)['problemMeaning']>>;

/** /problems/{code}: where the `type` of a problem leads. */
export const problemRoutes = routesOf<Env, typeof problemEndpoints>(problemEndpoints, {
  async problemMeaning({ params }: Handled): Reply {
    const { code } = params;
    if (!isProblemCode(code)) {
      throw new Problem('route_not_found', `There is no problem with the code ${code}.`);
    }
    const { title, status, ...kind } = PROBLEMS[code];
    const type = `/problems/${code}`;
    const retryable = 'retryable' in kind;
    const operations = await operationsWith(code);
    return { status: 200, body: { type, code, title, status, retryable, operations } };
  },
});

const isProblemCode = (code: string): code is keyof typeof PROBLEMS =>
  Object.hasOwn(PROBLEMS, code);

async function operationsWith(code: keyof typeof PROBLEMS) {
  const [{ PLATFORM }, { operationsOf }, { refusalsOf }] = await Promise.all([
    loadDescriptions(),
    import('../openapi/generate.ts'),
    import('../openapi/refusals.ts'),
  ]);
  return [...operationsOf(PLATFORM)]
    .filter(({ endpoint, described }) => refusalsOf(endpoint, described.reach).has(code))
    .map(({ path, endpoint, described }) => ({
      operation_id: `${described.service}_${described.name}`,
      method: endpoint.method,
      path,
    }));
}
