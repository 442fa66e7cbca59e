import { type Content, type Endpoint, isSchema } from '../contract/endpoint.ts';
import type { JsonSchema, MediaTypes, ResponseObject } from './document.ts';
import type { SchemaComponents } from './schemas.ts';

/** Content of a request or response body, by media type. */
export function contentOf(
  content: NonNullable<Content>,
  example: unknown,
  convert: SchemaComponents['requestOf'],
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

/** Schema of a body that is not JSON of the contract: its handler reads or writes it. */
export function mediaSchema(type: string): JsonSchema {
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

/** Adds what a status answers with where a request asks for other media. */
export function addOtherMedia(
  answers: Record<string, ResponseObject>,
  { also = {} }: Endpoint,
): void {
  for (const [status, media] of Object.entries(also)) {
    const answer = answers[status];
    if (!answer) throw new TypeError(`${status} is no answer that could have other media`);
    const others = Object.fromEntries(media.map((type) => [type, { schema: mediaSchema(type) }]));
    answers[status] = { ...answer, content: { ...answer.content, ...others } };
  }
}
