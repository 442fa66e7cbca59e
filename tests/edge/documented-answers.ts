import type { OpenApiDocument } from '../../edge/api-description/document.ts';
import { PROTOBUF_TYPE } from '../../edge/http/rpc-status.ts';
import type { Sighting } from './answer-log.ts';
import { type Described, operationsIn, responseOf } from './openapi-schemas.ts';

/** Every answer that a document knows: an operation and a status, and the code of a refusal. */
export function answersIn(document: OpenApiDocument): ReadonlySet<string> {
  return new Set(operationsIn(document).flatMap((described) => answersOf(document, described)));
}

function answersOf(document: OpenApiDocument, described: Described): readonly string[] {
  return Object.keys(described.operation.responses).flatMap((status) => {
    const content = responseOf(document, described, Number(status))?.content ?? {};
    const codes = codesOf(document, described, Number(status));
    const answer = `${described.id} ${status}`;
    // A refusal of HEAD has no body that would say which one it is.
    if (codes.length === 0 || described.method === 'HEAD') return [answer];
    const hasPlain = Object.entries(content).some(
      ([type, { examples }]) => examples === undefined && type !== PROTOBUF_TYPE,
    );
    return [...(hasPlain ? [answer] : []), ...codes.map((code) => `${answer} ${code}`)];
  });
}

/** With which codes an operation refuses by a status. */
export function codesOf(
  document: OpenApiDocument,
  described: Described,
  status: number,
): readonly string[] {
  const { content } = responseOf(document, described, status) ?? {};
  const refusal = content?.['application/problem+json'] ?? content?.['application/json'];
  return Object.keys(refusal?.examples ?? {});
}

/** Finds the name that an answer has among those of a document; none where no operation has its path. */
export function answerNamer(document: OpenApiDocument): (sighting: Sighting) => readonly string[] {
  const operations = operationsIn(document)
    .map(({ id, method, path }) => ({ id, method, path, pattern: patternOf(path) }))
    // `/models/register` comes before `/models/{id}`.
    .toSorted((a, b) => paramsIn(a.path) - paramsIn(b.path));
  return ({ method, path, status, code }) => {
    const own = operations.filter((known) => known.path === path);
    // `/models/register` is no `/models/{id}`, whatever it is asked with.
    const found = (own.length > 0 ? own : operations).find(
      (known) => known.method === method && known.pattern.test(path),
    );
    return found ? [`${found.id} ${status} ${code}`.trim()] : [];
  };
}

const paramsIn = (path: string): number => path.split('{').length;

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
