import type { openApiEndpoints, problemEndpoints } from './endpoints.ts';
import type { ExamplesOf } from './description.ts';

export const openApiExamples: ExamplesOf<typeof openApiEndpoints> = {
  openApi: {
    answers: {
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
};

export const problemExamples: ExamplesOf<typeof problemEndpoints> = {
  problemMeaning: {
    params: { code: 'model_not_found' },
    answers: {
      200: {
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
};
