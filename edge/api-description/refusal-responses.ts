import type { Endpoint } from '../contract/endpoint.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { PROTOBUF_TYPE } from '../http/rpc-status.ts';
import { mediaSchema } from './content.ts';
import { type MediaTypes, type Reference, refTo, type ResponseObject } from './document.ts';
import { BY_STATUS, headersOf } from './headers.ts';
import type { Reach } from './refusals.ts';

/** Answers that are refusals; operations with the same codes share one. */
export interface RefusalBook {
  refer(status: number, codes: readonly ProblemCode[], form?: FormAt): Reference;
  readonly components: Readonly<Record<string, ResponseObject>>;
}

export function createRefusalBook(): RefusalBook {
  const components: Record<string, ResponseObject> = {};
  return {
    components,
    refer(status, codes, form) {
      const name = [...(form ?? []), status, ...codes].join('.');
      components[name] ??= refusal(status, codes, form ? formContent(...form) : problemContent);
      return refTo('responses', name);
    },
  };
}

function refusal(
  status: number,
  codes: readonly ProblemCode[],
  contentOf: typeof problemContent,
): ResponseObject {
  const titles = codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`);
  return {
    description: titles.join(' '),
    headers: headersOf(BY_STATUS[status] ?? []),
    content: contentOf(codes),
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

type Form = NonNullable<Endpoint['refusals']>;
type FormAt = readonly [form: Form, reach: Reach];

const SCHEMAS: Readonly<Record<Form, string>> = {
  'rpc-status': 'RpcStatus',
  prometheus: 'QueryError',
};

/**
 * The same in a form of others; `google.rpc.Status` comes in the encoding of the request. Where a request
 * is forwarded, the gateway refuses it as it refuses all, before it knows what it is for.
 */
const formContent =
  (form: Form, reach: Reach) =>
  (codes: readonly ProblemCode[]): MediaTypes => ({
    'application/json': {
      schema: { $ref: `#/components/schemas/${SCHEMAS[form]}` },
      examples: Object.fromEntries(
        codes.map((code) => [code, refTo('examples', `${form}.${code}`)]),
      ),
    },
    ...(form === 'rpc-status' && { [PROTOBUF_TYPE]: { schema: mediaSchema(PROTOBUF_TYPE) } }),
    ...(reach === 'forwarded' && problemContent(codes)),
  });
