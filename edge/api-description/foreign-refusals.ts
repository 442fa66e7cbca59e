import { type Content, type Endpoint, isSchema, type Schema } from '../contract/endpoint.ts';
import type { JsonSchema, Operation, ResponseObject } from './document.ts';
import { BY_STATUS, headersOf } from './headers.ts';
import { problemContent } from './refusal-responses.ts';
import { byStatus, type Reach, refusalsOf } from './refusals.ts';
import type { SchemaBook } from './schemas.ts';

/**
 * The refusals of an endpoint in the form of another protocol, which knows no 422; those of the
 * gateway on the way there are problem documents.
 */
export function foreignRefusals(
  endpoint: Endpoint & { readonly refusal: Schema },
  reach: Reach,
  { answerOf }: SchemaBook,
): Operation['responses'] {
  const own = foreignStatuses(endpoint);
  const onTheWay =
    reach === 'direct' ? new Map<number, never>() : byStatus(refusalsOf(endpoint, reach), endpoint);
  const statuses = [...new Set([...own, ...onTheWay.keys()])];
  const response = (status: number): ResponseObject => {
    const codes = onTheWay.get(status) ?? [];
    const forms = [
      ...formOf(endpoint.responses[status], answerOf),
      ...(own.has(status) ? [answerOf(endpoint.refusal)] : []),
    ];
    return {
      description: 'Refused; `error` says why.',
      headers: headersOf(BY_STATUS[status] ?? []),
      content: {
        ...(forms.length > 0 && { 'application/json': { schema: eitherOf(forms) } }),
        ...(codes.length > 0 && problemContent(codes)),
      },
    };
  };
  return Object.fromEntries(statuses.map((status) => [String(status), response(status)]));
}

/** The statuses of refusals at the port of the service itself. */
function foreignStatuses(endpoint: Endpoint): ReadonlySet<number> {
  const statuses = [...byStatus(refusalsOf(endpoint, 'direct'), endpoint).keys()];
  return new Set(statuses.map((status) => (status === 422 ? 400 : status)));
}

const formOf = (answer: Content | undefined, answerOf: SchemaBook['answerOf']) =>
  answer && isSchema(answer) ? [answerOf(answer)] : [];

const eitherOf = (forms: readonly JsonSchema[]): JsonSchema => {
  const [first = {}, ...others] = forms;
  return others.length > 0 ? { anyOf: [first, ...others] } : first;
};
