import { type Endpoint, isSchema } from '../contract/endpoint.ts';
import { addOtherMedia, contentOf } from './content.ts';
import type { AnyOperationDocs, DescribedEndpoints, Links } from '../contract/endpoint-docs.ts';
import type { MediaTypes, Operation, Parameter, Reference, ResponseObject } from './document.ts';
import { BY_STATUS, headersOf, requestHeader } from './headers.ts';
import type { RefusalComponents } from './refusal-responses.ts';
import { byStatus, isRepeatable, type Reach, refusalsOf } from './refusals.ts';
import type { SchemaComponents } from './schemas.ts';

/** Source of one operation of a document. */
export interface Described {
  readonly service: string;
  readonly name: string;
  readonly table: DescribedEndpoints;
  readonly reach: Reach;
}

/** State shared by the operations of a document. */
interface Books {
  readonly schemas: SchemaComponents;
  readonly refusals: RefusalComponents;
}

const ACCESS_TEXT: Readonly<Record<string, string>> = {
  public: 'Needs no credentials.',
  authenticated: 'Needs credentials, of any scope.',
};

/** One operation of a document: an endpoint of the contract with its examples. */
export function operationOf(described: Described, books: Books): Operation {
  const { service, name } = described;
  const { endpoint, example } = found(described);
  const parameters = [
    ...pathParameters(described, books.schemas),
    ...queryParameters(endpoint, example, books.schemas),
    ...headerParameters(endpoint, example),
  ];
  const { summary, access, body, bodyOptional, sunset } = endpoint;
  const notes = [
    ACCESS_TEXT[access] ?? `Needs the scope \`${access}\`.`,
    ...(sunset === undefined ? [] : [`Deprecated; it goes away on ${sunset}.`]),
  ];
  const hasScope = !(access in ACCESS_TEXT);
  return {
    operationId: `${service}_${name}`,
    summary,
    description: notes.join(' '),
    tags: [service],
    ...(sunset !== undefined && { deprecated: true }),
    security: access === 'public' ? [] : [{ bearer: [] }, { session: [] }],
    ...(hasScope && { 'x-required-scope': access }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        ...(isSchema(body) && !bodyOptional && { required: true }),
        content: contentOf(body, example.body, books.schemas.requestOf),
      },
    }),
    responses: responsesOf(described, books),
  };
}

function found({ name, table }: Described): { endpoint: Endpoint; example: AnyOperationDocs } {
  const endpoint = table.endpoints[name];
  const example = table.operations[name];
  if (endpoint && example) return { endpoint, example };
  throw new TypeError(`${name} has no ${endpoint ? 'example' : 'endpoint'}`);
}

function pathParameters(described: Described, book: SchemaComponents): readonly Parameter[] {
  const { endpoint, example } = found(described);
  return Array.from(endpoint.path.matchAll(/([^/]+\/:([^/]+))/g), ([, key = '', name = '']) => {
    const param = described.table.params[key];
    if (!param) throw new TypeError(`${endpoint.path}: there is no description of ${key}`);
    return {
      name,
      in: 'path',
      description: param.description,
      required: true,
      schema: book.requestOf(param.schema),
      example: example.params?.[name],
    };
  });
}

function queryParameters(
  { path, query }: Endpoint,
  example: AnyOperationDocs,
  book: SchemaComponents,
): readonly Parameter[] {
  if (!query) return [];
  const { properties, required = [] } = book.membersOf(query);
  if (!properties) throw new TypeError(`${path}: its query is no plain object`);
  const values = new Map<string, unknown>(Object.entries(example.query ?? {}));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema: typeof schema === 'boolean' ? {} : schema,
    ...(values.get(name) !== undefined && { example: values.get(name) }),
  }));
}

const REPEATABLE = {
  'idempotency-key':
    'A key of your own. The same request with the same key is carried out once, within 24 hours.',
};

const headerParameters = (
  endpoint: Endpoint,
  { requestHeaders = {} }: AnyOperationDocs,
): readonly Parameter[] =>
  Object.entries({ ...endpoint.headers, ...(isRepeatable(endpoint) && REPEATABLE) }).map(
    ([name, description]) => ({
      name,
      in: 'header',
      description,
      ...(endpoint.needs?.includes(name) && { required: true }),
      schema: requestHeader(name),
      ...(requestHeaders[name] !== undefined && { example: requestHeaders[name] }),
    }),
  );

function responsesOf(described: Described, { schemas, refusals }: Books): Operation['responses'] {
  const { endpoint } = found(described);
  const answers = answersOf(described, schemas);
  const responses: Record<string, ResponseObject | Reference> = { ...answers };
  const form = endpoint.refusals && ([endpoint.refusals, described.reach] as const);
  for (const [status, codes] of byStatus(refusalsOf(endpoint, described.reach), endpoint)) {
    const answer = answers[status];
    responses[status] = answer
      ? alsoRefusing(answer, refusals.contentOf(codes, form))
      : refusals.refer(status, codes, form);
  }
  return responses;
}

/** Description of a response by its status, for every operation. */
const STATUS_TEXT: Readonly<Record<number, string>> = {
  101: 'The WebSocket is open.',
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; it is worked on.',
  204: 'Done; there is nothing to say.',
  206: 'The range that was asked for.',
  304: 'The copy at hand is current.',
  503: 'It does not work now.',
};

/** Responses that are not refusals, by status. */
function answersOf(
  described: Described,
  schemas: SchemaComponents,
): Readonly<Record<string, ResponseObject>> {
  const { endpoint, example } = found(described);
  const answers: Record<string, ResponseObject> = {};
  for (const [text, content] of Object.entries(endpoint.responses)) {
    const status = Number(text);
    const shown = example.responses ? example.responses[status] : example.answer;
    answers[text] = {
      description: STATUS_TEXT[status] ?? `Status ${text}.`,
      headers: headersOf([...(BY_STATUS[status] ?? []), ...(example.headers?.[status] ?? [])]),
      ...(content && { content: contentOf(content, shown, schemas.answerOf) }),
      ...linksOf(described.service, example.links?.[status]),
    };
  }
  addOtherMedia(answers, endpoint);
  return answers;
}

/** A status that answers both, such as 503 of `/health`. */
function alsoRefusing(answer: ResponseObject, refusal: MediaTypes): ResponseObject {
  const { 'application/json': own } = answer.content ?? {};
  const { 'application/json': refused, ...others } = refusal;
  const either = own && refused && { schema: { anyOf: [own.schema ?? {}, refused.schema ?? {}] } };
  const content = { ...answer.content, ...others, ...(either && { 'application/json': either }) };
  return { ...answer, content };
}

/** Where a response leads to: operations of the same service. */
function linksOf(service: string, links: Links | undefined): Pick<ResponseObject, 'links'> {
  if (!links) return {};
  const entries = Object.entries(links).map(([target, parameters]) => [
    target,
    { operationId: `${service}_${target}`, parameters },
  ]);
  return { links: Object.fromEntries(entries) };
}
