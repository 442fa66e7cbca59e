import type { InferRequestInput } from '../../../../edge/contract/inference/infer.ts';
import { inferenceEndpoints } from '../../../../edge/contract/inference/inference-endpoints.ts';
import { INFERENCE_PATH } from '../../../api/inference.ts';

export const CODE_KINDS = ['curl', 'typescript'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

export interface CodeOptions {
  /** The gateway's address. */
  readonly origin: string;
  /** Whether a key has to be sent: it is read from SPIKEGRID_KEY and never written down. */
  readonly needsKey: boolean;
}

/** The same request as this page sends, to be run elsewhere. */
export function requestCode(kind: CodeKind, request: InferRequestInput, options: CodeOptions) {
  return kind === 'curl' ? curlOf(request, options) : typescriptOf(request, options);
}

const urlOf = (origin: string) => origin + INFERENCE_PATH + inferenceEndpoints.infer.path;

function curlOf(request: InferRequestInput, { origin, needsKey }: CodeOptions): string {
  // A quote within single quotes ends them, is escaped, and begins them again.
  const body = JSON.stringify(request).replaceAll("'", String.raw`'\''`);
  return [
    `curl ${urlOf(origin)}`,
    `  -H 'content-type: application/json'`,
    ...(needsKey ? ['  -H "authorization: Bearer $SPIKEGRID_KEY"'] : []),
    `  -d '${body}'`,
  ].join(' \\\n');
}

function typescriptOf(request: InferRequestInput, { origin, needsKey }: CodeOptions): string {
  const key = needsKey ? '\n    authorization: `Bearer ${process.env.SPIKEGRID_KEY}`,' : '';
  const body = JSON.stringify(request, null, 2).replaceAll('\n', '\n  ');
  return `const answer = await fetch('${urlOf(origin)}', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',${key}
  },
  body: JSON.stringify(${body}),
});
if (!answer.ok) throw new Error(await answer.text());

const { outputs, usage, timing, spikes } = await answer.json();
console.log(outputs.text);
console.log({ usage, timing, spikes });
`;
}
