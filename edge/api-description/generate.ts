import { type Endpoint, isSchema, type Schema } from '../contract/endpoint.ts';
import { ProblemDocument } from '../contract/problem.ts';
import { REFUSAL_FORMS } from '../http/refusal-forms.ts';
import { VERSION } from '../http/version.ts';
import { commonComponents } from './components.ts';
import type { ServiceDescription } from './services.ts';
import {
  type Components,
  type OpenApiDocument,
  type Operation,
  type PathItem,
  refTo,
  type Verb,
} from './document.ts';
import { schemaNames } from './names.ts';
import { type Described, operationOf } from './operation.ts';
import { createRefusalComponents } from './refusal-responses.ts';
import type { Reach } from './refusals.ts';
import { convertSchemas, UNREPRESENTABLE } from './schemas.ts';

/** A service and where its paths lie in the document. */
export interface Mounted {
  readonly name: string;
  readonly service: ServiceDescription;
  /** Such as `/registry`; empty where its paths are the document's own. */
  readonly prefix: string;
  readonly reach: Reach;
}

interface DocumentInfo {
  readonly title: string;
  readonly summary: string;
}

/** The OpenAPI document of services, each where it is mounted. @throws TypeError for a gap in a table */
export function generateDocument(
  { title, summary }: DocumentInfo,
  mounted: readonly Mounted[],
): OpenApiDocument {
  const schemas = convertSchemas(schemaNames(), schemasOf(mounted));
  const refusals = createRefusalComponents(schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const operation of operationsOf(mounted)) {
    (paths[operation.path] ??= {})[operation.verb] = operationOf(operation.described, {
      schemas,
      refusals,
    });
  }
  const components = used(
    { ...commonComponents(), responses: refusals.components, schemas: schemas.components },
    paths,
  );
  refuseGaps(paths, components);
  return {
    servers: [{ url: '/' }],
    openapi: '3.1.1',
    info: { title, version: VERSION, summary, description: CONVENTIONS, contact: CONTACT },
    tags: mounted.map(({ name, service }) => ({ name, description: service.summary })),
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, shared(item)])),
    components,
  };
}

/** Conventions of every operation, in Markdown. */
const CONVENTIONS = [
  'Refusals are problem documents (RFC 9457). `code` says which; `type` leads to what it means;',
  '`errors` names each offending place; `retryable` says whether the same request may succeed later.',
  '',
  'Times are ISO 8601 in UTC. Lists come in pages: `limit`, and `cursor` with the `next_cursor` of',
  'the page before. A name that a query or a body does not know is refused, not ignored.',
  '',
  'Every answer carries `X-Request-Id` and `traceparent`, taken over from the request where it has',
  'them. Answers may gain members and problems may gain codes; nothing here is taken away.',
].join('\n');

/** Whoever runs the platform answers for it. */
const CONTACT = { name: 'The operator of this platform' };

interface Placed {
  readonly path: string;
  readonly verb: Verb;
  readonly described: Described;
  readonly endpoint: Endpoint;
}

/** Every operation of a document with the place it has there. */
export function* operationsOf(mounted: readonly Mounted[]): Generator<Placed> {
  for (const {
    name: service,
    service: { tables },
    prefix,
    reach,
  } of mounted) {
    for (const table of tables) {
      for (const [name, endpoint] of Object.entries(table.endpoints)) {
        const path = prefix + endpoint.path.replace(/:([^/]+)/g, '{$1}');
        const verb = endpoint.method.toLowerCase() as Verb;
        yield { path, verb, described: { service, name, table, reach }, endpoint };
      }
    }
  }
}

function* schemasOf(mounted: readonly Mounted[]): Generator<Schema> {
  yield ProblemDocument;
  for (const { schema } of Object.values(REFUSAL_FORMS)) yield schema;
  for (const { endpoint, described } of operationsOf(mounted)) {
    const { query, body, responses } = endpoint;
    if (query) yield query;
    for (const content of [body, ...Object.values(responses)]) {
      if (!content) continue;
      if (isSchema(content)) yield content;
      else if (content.schema) yield content.schema;
    }
    for (const { schema } of Object.values(described.table.params)) yield schema;
  }
}

const shared = (item: Readonly<Record<string, Operation>>): PathItem => ({
  parameters: [refTo('parameters', 'X-Request-Id'), refTo('parameters', 'traceparent')],
  ...item,
});

/** The components that are referred to, from the paths or from each other. */
function used(all: Components, paths: object): Components {
  const kept = new Map<string, unknown>();
  const open: unknown[] = [paths, shared({})];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, place = ''] of JSON.stringify(next).matchAll(/"#\/components\/([^"]+)"/g)) {
      if (kept.has(place)) continue;
      const [kind = '', name = ''] = place.split('/');
      const component = all[kind]?.[name];
      if (component === undefined) throw new TypeError(`there is no component ${place}`);
      kept.set(place, component);
      open.push(component);
    }
  }
  const only = (kind: string, named: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(named).filter(([name]) => kept.has(`${kind}/${name}`)));
  return Object.fromEntries(
    Object.entries(all).map(([kind, named]) => [
      kind,
      kind === 'securitySchemes' ? named : only(kind, named),
    ]),
  );
}

/** A schema that JSON Schema cannot express would be documented as "anything". */
function refuseGaps(paths: object, components: Components): void {
  const places = { ...components['schemas'], paths };
  for (const [name, value] of Object.entries(places)) {
    if (!JSON.stringify(value).includes(`"${UNREPRESENTABLE}"`)) continue;
    throw new TypeError(`${name} holds a schema that JSON Schema cannot express`);
  }
}
