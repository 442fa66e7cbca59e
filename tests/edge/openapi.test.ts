import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../../edge/contract/problem.ts';
import { ProblemMeaning } from '../../edge/api-description/endpoints.ts';
import {
  WORKER_SERVICE_NAMES,
  type WorkerServiceName,
} from '../../edge/api-description/services.ts';
import { documentOf } from '../../edge/api-description/platform.ts';
import { type SharedEdge, problemOf, sharedEdge } from './harness.ts';
import { judgeBy, lookUp, operationsIn, responseOf } from './openapi-schemas.ts';

let edge: SharedEdge;
beforeAll(async () => {
  edge = await sharedEdge();
});

const serviceUrl = (name: WorkerServiceName) => new URL('/openapi.json', edge[name]);

describe('the document', () => {
  it.each(WORKER_SERVICE_NAMES)('of the %s is valid OpenAPI 3.1', async (name) => {
    const answer = await fetch(serviceUrl(name));

    const served = (await answer.json()) as Record<string, unknown>;
    const { valid, errors } = await new Validator().validate(served);

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it('says at the gateway where the services are', async () => {
    const behind = await fetch(new URL('/registry/openapi.json', edge.gateway));
    const direct = await fetch(serviceUrl('registry'));

    expect(await behind.json()).toMatchObject({ servers: [{ url: '/registry' }] });
    expect(await direct.json()).toMatchObject({ servers: [{ url: '/' }] });
  });

  it('is not sent again to who has it', async () => {
    const first = await fetch(serviceUrl('gateway'));
    const etag = first.headers.get('etag') ?? '';

    const again = await fetch(serviceUrl('gateway'), { headers: { 'if-none-match': etag } });

    expect(etag).toMatch(/^"sha256:[0-9a-f]{64}"$/);
    expect(again.status).toBe(304);
  });

  it('has no two operations of one id', () => {
    const ids = operationsIn(documentOf('gateway')).map(({ id }) => id);

    expect(ids).toHaveLength(new Set(ids).size);
  });
});

describe('an example', () => {
  const document = JSON.parse(JSON.stringify(documentOf('gateway'))) as ReturnType<
    typeof documentOf
  >;
  const judge = judgeBy(document, { closed: true });

  it.each(operationsIn(document).map((described) => [described.id, described] as const))(
    'of %s matches its schemas',
    (_, described) => {
      const { operation } = described;
      const bodies = Object.values(operation.requestBody?.content ?? {});
      const answers = Object.keys(operation.responses).flatMap((status) =>
        Object.values(responseOf(document, described, Number(status))?.content ?? {}),
      );
      const problems = answers.flatMap(({ schema, examples = {} }) =>
        Object.values(examples).map((reference) => {
          const { value: example } = lookUp(document, reference) as { value: unknown };
          return { schema, example };
        }),
      );

      const faults = [...bodies, ...answers, ...problems, ...(operation.parameters ?? [])].map(
        ({ schema, example }) => (schema && example !== undefined ? judge(schema, example) : ''),
      );

      expect(faults.join('')).toBe('');
    },
  );
});

describe('the type of a problem', () => {
  it('says what it means, for every code', async () => {
    const meanings = await Promise.all(
      Object.keys(PROBLEMS).map(async (code) => {
        const answer = await fetch(new URL(`/problems/${code}`, edge.gateway));
        return ProblemMeaning.parse(await answer.json());
      }),
    );

    const titles = meanings.map(({ code, title }) => [code, title]);
    expect(titles).toEqual(Object.entries(PROBLEMS).map(([code, { title }]) => [code, title]));
  });

  it('names the operations that answer it', async () => {
    const answer = await fetch(new URL('/problems/range_not_satisfiable', edge.gateway));

    const { operations } = ProblemMeaning.parse(await answer.json());

    expect(operations).toEqual([
      {
        operation_id: 'training_downloadDataset',
        method: 'GET',
        path: '/training/datasets/{name}/content',
      },
      {
        operation_id: 'registry_downloadFile',
        method: 'GET',
        path: '/registry/models/{id}/download/{filename}',
      },
    ]);
  });

  it('is refused where there is no such problem', async () => {
    const answer = await fetch(new URL('/problems/constructor', edge.gateway));

    expect((await problemOf(answer)).code).toBe('route_not_found');
  });
});
