import { type ProblemCode, type ProblemDocument, PROBLEMS } from '../contract/problem.ts';
import { REFUSAL_FORMS } from '../http/refusal-forms.ts';
import type { Components, Parameter } from './document.ts';
import { HEADERS } from './headers.ts';

const PARAMETERS: Readonly<Record<string, Parameter>> = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description: 'An id of your own for the request; answers and logs carry it.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
  },
  traceparent: {
    name: 'traceparent',
    in: 'header',
    description: 'W3C Trace Context: makes the request a part of your trace.',
    schema: { type: 'string' },
  },
};

const SECURITY_SCHEMES = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key (`sg_<id>_<secret>`) or a JWT.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'spikegrid_session',
    description:
      'The session of the dashboard; what changes something also needs `X-Spikegrid-CSRF`.',
  },
};

/** Components that every document may refer to, besides its schemas. */
export const commonComponents = (): Components => ({
  parameters: PARAMETERS,
  headers: HEADERS,
  examples: Object.fromEntries(
    (Object.keys(PROBLEMS) as ProblemCode[]).flatMap((code) => [
      [code, { value: exampleOf(code) }],
      ...Object.entries(REFUSAL_FORMS).map(([form, { bodyOf }]) => [
        `${form}.${code}`,
        { value: bodyOf(code, `${PROBLEMS[code].title}.`) },
      ]),
    ]),
  ),
  securitySchemes: SECURITY_SCHEMES,
});

function exampleOf(code: ProblemCode): ProblemDocument {
  const { title, status, ...kind } = PROBLEMS[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: `${title}.`,
    instance: '/path/of/the/request',
    code,
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    retryable: 'retryable' in kind,
  };
}
