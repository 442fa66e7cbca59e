import * as z from 'zod/mini';
import { type Endpoints, get } from '../contract/endpoint.ts';
import { describe } from '../contract/endpoint-docs.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';

/** The document that the `type` of a problem points to: the meaning of its code, and the operations that respond with it. */
export const ProblemMeaning = z.object({
  type: z.string(),
  code: z.string(),
  title: z.string(),
  status: z.int(),
  retryable: z.boolean(),
  operations: z.array(z.object({ operation_id: z.string(), method: z.string(), path: z.string() })),
});
export type ProblemMeaning = z.infer<typeof ProblemMeaning>;

/** A description in OpenAPI, as far as every one has it. */
const OpenApiDescription = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

/** The file of the build with a description of a service of the Worker, but for its `servers`. */
export const descriptionFile = (service: string) => `descriptions/openapi-${service}.json`;

/** The file of the build with what the gateway's operations refuse: `OperationRefusals[]`. */
export const REFUSALS_FILE = 'descriptions/problems.json';
export type OperationRefusals = ProblemMeaning['operations'][number] & {
  readonly codes: readonly string[];
};

/** The API description of every service. */
export const openApiEndpoints = {
  openApi: get('/openapi.json', 'public', {
    summary: 'This description of the API, in OpenAPI 3.1.',
    responses: { 200: { media: ['application/json'], schema: OpenApiDescription }, 304: null },
    headers: { 'if-none-match': 'The ETag of a copy at hand; an unchanged one answers 304.' },
  }),
} as const satisfies Endpoints;

/** Where the `type` of every problem document leads. */
export const problemEndpoints = {
  problemMeaning: get('/problems/:code', 'public', {
    summary: 'What a problem code means, and which operations answer it.',
    responses: { 200: ProblemMeaning },
    problems: ['route_not_found'],
  }),
} as const satisfies Endpoints;

/** Parameters, examples and links of the table. */
export const openApiDocs = () =>
  describe(openApiEndpoints, {
    schemas: [{ OpenApiDescription }],
    params: {},
    operations: {
      openApi: {
        responses: {
          200: {
            'application/json': {
              openapi: '3.1.1',
              info: { title: 'spikegrid', version: '1' },
              paths: {},
            },
          },
          304: null,
        },
        headers: { 200: ['ETag'], 304: ['ETag'] },
      },
    },
  });

/** Parameters, examples and links of the table. */
export const problemDocs = () =>
  describe(problemEndpoints, {
    schemas: [{ ProblemMeaning }],
    params: {
      'problems/:code': {
        description: 'The `code` of a problem.',
        schema: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
      },
    },
    operations: {
      problemMeaning: {
        params: { code: 'model_not_found' },
        answer: {
          type: '/problems/model_not_found',
          code: 'model_not_found',
          title: 'There is no such model',
          status: 404,
          retryable: false,
          operations: [
            { operation_id: 'registry_getModel', method: 'GET', path: '/registry/models/{id}' },
          ],
        },
      },
    },
  });
