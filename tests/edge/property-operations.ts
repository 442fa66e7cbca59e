import { type ProblemCode, PROBLEMS } from '../../edge/contract/problem.ts';
import type { OpenApiDocument } from '../../edge/api-description/document.ts';
import { documentOf } from '../../edge/api-description/platform.ts';
import { codesOf } from './documented-answers.ts';
import { type Described, operationsIn } from './openapi-schemas.ts';

export const document = JSON.parse(JSON.stringify(documentOf('gateway'))) as OpenApiDocument;
/** Of services that register with the gateway: in these worlds there is none. */
export const isOfRegistered = ({ id }: Described): boolean =>
  /^(?:inference|plugin-host|test-host)_/.test(id);

export const operations = operationsIn(document).filter((described) => !isOfRegistered(described));

export const operationOf = (id: string): Described =>
  operations.find((operation) => operation.id === id)!;

/** An operation under its name: a case of a table. */
type Row = readonly [string, Described];

/** Creation first, deletion last, and parts before the whole. */
const ORDER = ['POST', 'PUT', 'OPTIONS', 'GET', 'HEAD', 'PATCH', 'DELETE'];
export const all: readonly Row[] = operations
  .toSorted(
    (a, b) =>
      ORDER.indexOf(a.method) - ORDER.indexOf(b.method) ||
      (a.method === 'DELETE' ? b.path.length - a.path.length : 0),
  )
  .map((described) => [described.id, described]);

/** The operations that may be refused with a code. */
export const refusing = (code: ProblemCode): readonly Row[] =>
  all.filter(([, described]) => codesOf(document, described, PROBLEMS[code].status).includes(code));

export const guarded = all.filter(([, { operation }]) => operation.security.length > 0);
export const scoped = guarded.filter(([, { operation }]) => operation['x-required-scope']);
/** Operations that want to know who calls, even where nobody has to say; signing in is not one. */
export const known = refusing('unauthenticated').filter(([id]) => id !== 'gateway_signIn');
export const taking = all.filter(([, { operation }]) => operation.requestBody);
export const repeatable = all.filter(([, { operation }]) =>
  operation.parameters?.some(({ name }) => name === 'idempotency-key'),
);
