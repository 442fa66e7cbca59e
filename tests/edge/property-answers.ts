import type {
  MediaType,
  OpenApiDocument,
  ResponseObject,
} from '../../edge/api-description/document.ts';
import { type Described, type Judge, responseOf } from './openapi-schemas.ts';
import { exampleOf, type Sent } from './property-requests.ts';
import type { World } from './property-world.ts';

const PROBLEM = 'application/problem+json';

/** The violation of the description by a JSON body; empty if it is valid or no JSON. */
export function bodyFault(judge: Judge, { operation }: Described, { body }: Partial<Sent>): string {
  const { schema } = operation.requestBody?.content['application/json'] ?? {};
  if (!schema || typeof body !== 'string') return '';
  try {
    return judge(schema, JSON.parse(body));
  } catch {
    return '';
  }
}

/** Methods that a path does not take, with what is asked with them where its segments are its names. */
export const otherMethods = (document: OpenApiDocument) =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY', 'TRACE']
      .filter((method) => !(method.toLowerCase() in item))
      .map((method) => ({ method, target: path.replaceAll(/[{}]/g, '') })),
  );

/** Operations that say with 503 that nobody is there who could answer: these worlds have no node of a brain. */
const NEEDS_NODES = new Set(['gateway_askBrain']);

export interface Checks {
  readonly document: OpenApiDocument;
  readonly judge: Judge;
  readonly base: URL;
}

/** An answer, and what in it is not as documented; an empty text where all of it is. */
export interface Checked {
  readonly answer: Response;
  readonly fault: string;
}

/** A received response, to be compared with its description. */
interface Observed {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  readonly text: string;
  /** The value of a JSON body. */
  readonly value: unknown;
}

/** Sends a request and holds the answer against the description of its operation. */
async function sendAndCheck(
  { document, judge, base }: Checks,
  described: Described,
  { path, ...init }: Sent,
): Promise<Checked> {
  const answer = await fetch(new URL(path, base), { ...init, redirect: 'manual' });
  const observed = await observe(answer);
  const documented = responseOf(document, described, answer.status);
  const isAlone = NEEDS_NODES.has(described.id) && answer.status === 503;
  const fault = documented
    ? faultOf(observed, documented, judge, isAlone)
    : 'the status is not documented';
  if (fault === '') return { answer, fault };
  const asked = `${described.id} ${init.method} ${path.slice(0, 200)}`;
  return { answer, fault: `${asked}: ${fault}: ${answer.status} ${observed.text.slice(0, 300)}` };
}

/** Sends the examples of operations about the records of a world, changed as asked. */
export function exampleSender(checks: Checks, world: World) {
  const send = (described: Described, change: Partial<Sent> = {}): Promise<Checked> =>
    sendAndCheck(checks, described, world.translate({ ...exampleOf(described), ...change }));
  return {
    send,
    /** With headers beside those of the example. */
    sendWith: (described: Described, headers: Readonly<Record<string, string>>) =>
      send(described, { headers: { ...exampleOf(described).headers, ...headers } }),
  };
}
export type ExampleSender = ReturnType<typeof exampleSender>;

async function observe(answer: Response): Promise<Observed> {
  const { status, headers } = answer;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const text = await answer.clone().text();
  const value: unknown = type.endsWith('json') && text !== '' ? JSON.parse(text) : undefined;
  return { status, headers, type, text, value };
}

function faultOf(
  observed: Observed,
  documented: ResponseObject,
  judge: Judge,
  isAlone: boolean,
): string {
  const { status, type, text } = observed;
  // Some answers say with 503 that something else is down: those are documented as answers.
  if (type === PROBLEM && status >= 500 && !isAlone) return 'a fault of ours';
  const media = documented.content?.[type] ?? documented.content?.['*/*'];
  if (text !== '' && !media) return `the type ${type} is not documented`;
  return wrongBody(observed, media, judge) || missingHeader(observed, documented);
}

function wrongBody({ value }: Observed, media: MediaType | undefined, judge: Judge): string {
  return media?.schema && value !== undefined ? judge(media.schema, value) : '';
}

function missingHeader({ type, headers }: Observed, documented: ResponseObject): string {
  const everywhere = ['x-request-id', 'traceparent'];
  const wanted = type === PROBLEM ? everywhere : Object.keys(documented.headers);
  const missing = wanted.find((name) => !headers.has(name));
  return missing === undefined ? '' : `the header ${missing} is missing`;
}
