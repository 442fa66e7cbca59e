import { type Content, type Endpoint, isSchema, type Schema } from '../contract/endpoint.ts';
import type { ProblemCode } from '../contract/problem.ts';
import type { AnyExample, AnyPart } from './description.ts';
import type {
  JsonSchema,
  MediaTypes,
  Operation,
  Parameter,
  Reference,
  ResponseObject,
} from './document.ts';
import { BY_STATUS, headersOf, requestHeader } from './headers.ts';
import { linksOf } from './links.ts';
import { problemContent, type RefusalBook } from './refusal-responses.ts';
import { byStatus, foreignStatuses, isRepeatable, type Reach, refusalsOf } from './refusals.ts';
import type { SchemaBook } from './schemas.ts';
import { STATUS_TEXT } from './status-text.ts';

/** What an operation is made from. */
export interface Described {
  readonly service: string;
  readonly name: string;
  readonly part: AnyPart;
  readonly reach: Reach;
}

/** What the operations of a document share. */
export interface Books {
  readonly schemas: SchemaBook;
  readonly refusals: RefusalBook;
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
  const { summary, access, body, sunset } = endpoint;
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
        ...(isSchema(body) && { required: true }),
        content: contentOf(body, example.body, books.schemas.requestOf),
      },
    }),
    responses: responsesOf(described, books),
  };
}

function found({ name, part }: Described): { endpoint: Endpoint; example: AnyExample } {
  const endpoint = part.endpoints[name];
  const example = part.examples[name];
  if (endpoint && example) return { endpoint, example };
  throw new TypeError(`${name} has no ${endpoint ? 'example' : 'endpoint'}`);
}

function pathParameters(described: Described, book: SchemaBook): readonly Parameter[] {
  const { endpoint, example } = found(described);
  return Array.from(endpoint.path.matchAll(/([^/]+\/:([^/]+))/g), ([, key = '', name = '']) => {
    const param = described.part.params[key];
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
  example: AnyExample,
  book: SchemaBook,
): readonly Parameter[] {
  if (!query) return [];
  const { properties, required = [] } = book.membersOf(query);
  if (!properties) throw new TypeError(`${path}: its query is no plain object`);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    schema: typeof schema === 'boolean' ? {} : schema,
    ...(example.query?.[name] !== undefined && { example: example.query[name] }),
  }));
}

const REPEATABLE = {
  'idempotency-key':
    'A key of your own. The same request with the same key is carried out once, within 24 hours.',
};

const headerParameters = (
  endpoint: Endpoint,
  { requestHeaders = {} }: AnyExample,
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
  const { endpoint, example } = found(described);
  const answers: Record<string, ResponseObject> = {};
  for (const [text, content] of Object.entries(endpoint.answers)) {
    const status = Number(text);
    const shown = example.answers[status];
    answers[text] = {
      description: STATUS_TEXT[status] ?? `Status ${text}.`,
      headers: headersOf([...(BY_STATUS[status] ?? []), ...(example.headers?.[status] ?? [])]),
      ...(content && { content: contentOf(content, shown, schemas.answerOf) }),
      ...linksOf(described, status),
    };
  }
  addOtherMedia(answers, endpoint);
  const responses: Record<string, ResponseObject | Reference> = { ...answers };
  if (endpoint.refusal) {
    return { ...responses, ...foreignRefusals(described, { schemas, refusals }, endpoint.refusal) };
  }
  for (const [status, codes] of byStatus(refusalsOf(endpoint, described.reach))) {
    const answer = answers[status];
    responses[status] = answer ? alsoRefusing(answer, codes) : refusals.refer(status, codes);
  }
  return responses;
}

/** A status that answers both, such as 503 of `/health`. */
function alsoRefusing(answer: ResponseObject, codes: readonly ProblemCode[]): ResponseObject {
  return { ...answer, content: { ...answer.content, ...problemContent(codes) } };
}

function contentOf(
  content: NonNullable<Content>,
  example: unknown,
  convert: SchemaBook['requestOf'],
): MediaTypes {
  if (isSchema(content)) return { 'application/json': { schema: convert(content), example } };
  const { media, schema } = content;
  const examples = example as Readonly<Record<string, unknown>> | undefined;
  return Object.fromEntries(
    media.map((type) => [
      type,
      {
        schema: schema && type.endsWith('/json') ? convert(schema) : mediaSchema(type),
        ...(examples?.[type] !== undefined && { example: examples[type] }),
      },
    ]),
  );
}

/** What is not JSON of a schema: its handler reads or writes it by itself. */
function mediaSchema(type: string): JsonSchema {
  if (type === '*/*') return { description: 'The bytes, of the type that they were stored with.' };
  if (type === 'application/yaml') return { description: 'A document of YAML.' };
  if (type === 'multipart/form-data') return FORM;
  return type.startsWith('text/') || type.endsWith('text') || type.endsWith('jsonl')
    ? { type: 'string' }
    : { type: 'string', format: 'binary' };
}

const FORM: JsonSchema = {
  type: 'object',
  properties: {
    file: { type: 'string', format: 'binary' },
    filename: { type: 'string' },
    version: { type: 'string' },
    digest: { type: 'string' },
  },
  required: ['file'],
};

function addOtherMedia(answers: Record<string, ResponseObject>, { also = {} }: Endpoint): void {
  for (const [status, media] of Object.entries(also)) {
    const answer = answers[status];
    if (!answer) throw new TypeError(`${status} is no answer that could have other media`);
    const others = Object.fromEntries(media.map((type) => [type, { schema: mediaSchema(type) }]));
    answers[status] = { ...answer, content: { ...answer.content, ...others } };
  }
}

/** Refusals of another protocol; those of the gateway on the way there are problem documents. */
function foreignRefusals(
  described: Described,
  { schemas }: Books,
  schema: Schema,
): Operation['responses'] {
  const { endpoint } = found(described);
  const own = foreignStatuses(endpoint);
  const codes = byStatus(refusalsOf(endpoint, described.reach));
  const isOnTheWay = described.reach !== 'direct';
  const statuses = new Set([...own, ...(isOnTheWay ? codes.keys() : [])]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const problems = isOnTheWay ? (codes.get(status) ?? []) : [];
      const answer = endpoint.answers[status];
      const forms = [
        ...(answer && isSchema(answer) ? [schemas.answerOf(answer)] : []),
        ...(own.has(status) ? [schemas.answerOf(schema)] : []),
      ];
      const [form = {}] = forms;
      const response: ResponseObject = {
        description: 'Refused; `error` says why.',
        headers: headersOf(BY_STATUS[status] ?? []),
        content: {
          ...(forms.length > 0 && {
            'application/json': { schema: forms.length > 1 ? { anyOf: forms } : form },
          }),
          ...(problems.length > 0 && problemContent(problems)),
        },
      };
      return [String(status), response];
    }),
  );
}
