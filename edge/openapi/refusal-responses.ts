import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { type MediaTypes, type Reference, refTo, type ResponseObject } from './document.ts';
import { BY_STATUS, headersOf } from './headers.ts';

/** Answers that are refusals; operations with the same codes share one. */
export interface RefusalBook {
  refer(status: number, codes: readonly ProblemCode[]): Reference;
  readonly components: Readonly<Record<string, ResponseObject>>;
}

export function createRefusalBook(): RefusalBook {
  const components: Record<string, ResponseObject> = {};
  return {
    components,
    refer(status, codes) {
      const name = [status, ...codes].join('.');
      components[name] ??= refusal(status, codes);
      return refTo('responses', name);
    },
  };
}

function refusal(status: number, codes: readonly ProblemCode[]): ResponseObject {
  const titles = codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`);
  return {
    description: titles.join(' '),
    headers: headersOf(BY_STATUS[status] ?? []),
    content: problemContent(codes),
  };
}

/** A problem document with one of these codes. */
export function problemContent(codes: readonly ProblemCode[]): MediaTypes {
  return {
    'application/problem+json': {
      schema: {
        allOf: [
          { $ref: '#/components/schemas/ProblemDocument' },
          { properties: { code: { enum: [...codes] } } },
        ],
      },
      examples: Object.fromEntries(codes.map((code) => [code, refTo('examples', code)])),
    },
  };
}
