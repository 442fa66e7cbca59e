import type { RefusalForm } from '../contract/endpoint.ts';
import { type ProblemCode, PROBLEMS } from '../contract/problem.ts';
import { REFUSAL_FORMS } from '../http/refusal-forms.ts';
import { PROTOBUF_TYPE } from '../http/rpc-status.ts';
import { mediaSchema } from './content.ts';
import { type MediaTypes, type Reference, refTo, type ResponseObject } from './document.ts';
import { BY_STATUS, headersOf } from './headers.ts';
import type { Reach } from './refusals.ts';
import type { SchemaComponents } from './schemas.ts';

/** Responses that are refusals; operations with the same codes share one. */
export interface RefusalComponents {
  refer(status: number, codes: readonly ProblemCode[], form?: FormAt): Reference;
  /** The content of a refusal with one of these codes. */
  contentOf(codes: readonly ProblemCode[], form?: FormAt): MediaTypes;
  readonly components: Readonly<Record<string, ResponseObject>>;
}

export function createRefusalComponents(
  schemas: Pick<SchemaComponents, 'answerOf'>,
): RefusalComponents {
  const components: Record<string, ResponseObject> = {};
  const contentOf: RefusalComponents['contentOf'] = (codes, form) =>
    form ? formContent(form, codes, schemas) : problemContent(codes);
  return {
    components,
    contentOf,
    refer(status, codes, form) {
      const name = [...(form ?? []), status, ...codes].join('.');
      components[name] ??= refusal(status, codes, contentOf(codes, form));
      return refTo('responses', name);
    },
  };
}

function refusal(
  status: number,
  codes: readonly ProblemCode[],
  content: MediaTypes,
): ResponseObject {
  const titles = codes.map((code) => `${PROBLEMS[code].title} (\`${code}\`).`);
  return {
    description: titles.join(' '),
    headers: headersOf(BY_STATUS[status] ?? []),
    content,
  };
}

/** A problem document with one of these codes. */
function problemContent(codes: readonly ProblemCode[]): MediaTypes {
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

type FormAt = readonly [form: RefusalForm, reach: Reach];

/**
 * The same in a form of others; `google.rpc.Status` comes in the encoding of the request. Where a request
 * is passed on, the gateway refuses it in its common form, before it knows the target.
 */
const formContent = (
  [form, reach]: FormAt,
  codes: readonly ProblemCode[],
  { answerOf }: Pick<SchemaComponents, 'answerOf'>,
): MediaTypes => ({
  'application/json': {
    schema: answerOf(REFUSAL_FORMS[form].schema),
    examples: Object.fromEntries(codes.map((code) => [code, refTo('examples', `${form}.${code}`)])),
  },
  ...(form === 'rpc-status' && { [PROTOBUF_TYPE]: { schema: mediaSchema(PROTOBUF_TYPE) } }),
  ...(reach !== 'direct' && problemContent(codes)),
});
