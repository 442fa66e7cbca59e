import type { MediaType, OpenApiDocument, ResponseObject } from '../../edge/openapi/document.ts';
import { type Described, type Judge, operationsIn, responseOf } from './openapi-schemas.ts';
import type { Sent } from './property-requests.ts';

const PROBLEM = 'application/problem+json';

/** Which documented answers were seen: an operation and a status, and the code of a refusal. */
export interface Coverage {
  readonly documented: ReadonlySet<string>;
  readonly seen: Set<string>;
}

export interface Checks {
  readonly document: OpenApiDocument;
  readonly judge: Judge;
  readonly coverage: Coverage;
  readonly base: URL;
}

/** An answer, and what in it is not as documented; an empty text where all of it is. */
export interface Checked {
  readonly answer: Response;
  readonly fault: string;
}

/** What is known of an answer when it is held against its description. */
interface Observed {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string;
  readonly text: string;
  /** The value of a JSON body. */
  readonly value: unknown;
}

/** Sends a request and holds the answer against the description of its operation. */
export async function sendAndCheck(
  { document, judge, coverage, base }: Checks,
  described: Described,
  { path, ...init }: Sent,
): Promise<Checked> {
  const answer = await fetch(new URL(path, base), { ...init, redirect: 'manual' });
  const observed = await observe(answer);
  coverage.seen.add(sightingOf(described, observed));
  const documented = responseOf(document, described, answer.status);
  const fault = documented ? faultOf(observed, documented, judge) : 'the status is not documented';
  if (fault === '') return { answer, fault };
  const asked = `${described.id} ${init.method} ${path.slice(0, 200)}`;
  return { answer, fault: `${asked}: ${fault}: ${answer.status} ${observed.text.slice(0, 300)}` };
}

async function observe(answer: Response): Promise<Observed> {
  const { status, headers } = answer;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const text = await answer.clone().text();
  const value: unknown = type.endsWith('json') && text !== '' ? JSON.parse(text) : undefined;
  return { status, headers, type, text, value };
}

function faultOf(observed: Observed, documented: ResponseObject, judge: Judge): string {
  const { status, type, text } = observed;
  // Some answers say with 503 that something else is down: those are documented as answers.
  if (type === PROBLEM && status >= 500) return 'a fault of ours';
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

function sightingOf({ id }: Described, { status, type, value }: Observed): string {
  const code = type === PROBLEM && value !== undefined ? (value as { code: string }).code : '';
  return `${id} ${status} ${code}`.trim();
}

/** Every answer that the document knows. */
export function coverageOf(document: OpenApiDocument): Coverage {
  const documented = new Set(
    operationsIn(document).flatMap((described) => answersOf(document, described)),
  );
  return { documented, seen: new Set() };
}

function answersOf(document: OpenApiDocument, described: Described): readonly string[] {
  return Object.keys(described.operation.responses).flatMap((status) => {
    const content = responseOf(document, described, Number(status))?.content ?? {};
    const { [PROBLEM]: problem, ...others } = content;
    const answer = `${described.id} ${status}`;
    if (!problem) return [answer];
    // A refusal of HEAD has no body that would say which one it is.
    const codes = described.method === 'HEAD' ? [] : Object.keys(problem.examples ?? {});
    const alsoAnswers = Object.keys(others).length > 0 ? [answer] : [];
    return [...alsoAnswers, ...codes.map((code) => `${answer} ${code}`)];
  });
}
