import type { InferRequestInput } from '../../../../edge/inference/contract/infer.ts';
import { inferenceEndpoints } from '../../../../edge/inference/endpoints.ts';
import { INFERENCE_PATH } from '../../../api/inference.ts';
import { MEDIA_KINDS, requestOf, type Question, type Target } from '../exchanges/question.ts';

export const CODE_KINDS = ['curl', 'typescript'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

interface CodeOptions {
  readonly target: Target;
  /** The gateway's address. */
  readonly origin: string;
  /** Whether a key has to be sent: it is read from SPIKEGRID_KEY and never written down. */
  readonly needsKey: boolean;
}

/** The same request as this page sends, to be run elsewhere: files are read where the code runs. */
export function requestCode(kind: CodeKind, question: Question, options: CodeOptions) {
  const files = MEDIA_KINDS.flatMap((media) => {
    const name = question.media[media]?.name;
    return name === undefined ? [] : [{ media, name, mark: `{{${media}}}` }];
  });
  const marked = Object.fromEntries(
    files.map(({ media, mark }) => [media, { ...question.media[media], base64: mark }]),
  );
  const request = requestOf({ ...question, media: marked as Question['media'] }, options.target);
  return kind === 'curl' ? curlOf(request, files, options) : typescriptOf(request, files, options);
}

/** A file that stands in the request as its mark. */
interface CodeFile {
  readonly name: string;
  readonly mark: string;
}

const urlOf = (origin: string) => origin + INFERENCE_PATH + inferenceEndpoints.infer.path;

// A quote within single quotes ends them, is escaped, and begins them again.
const quoted = (text: string) => text.replaceAll("'", String.raw`'\''`);

function curlOf(
  request: InferRequestInput,
  files: readonly CodeFile[],
  { origin, needsKey }: CodeOptions,
): string {
  const body = files.reduce(
    (text, { name, mark }) =>
      text.replace(mark, () => `'"$(base64 < '${quoted(name)}' | tr -d '\\n')"'`),
    quoted(JSON.stringify(request)),
  );
  return [
    `curl ${urlOf(origin)}`,
    `  -H 'content-type: application/json'`,
    ...(needsKey ? ['  -H "authorization: Bearer $SPIKEGRID_KEY"'] : []),
    `  -d '${body}'`,
  ].join(' \\\n');
}

function typescriptOf(
  request: InferRequestInput,
  files: readonly CodeFile[],
  { origin, needsKey }: CodeOptions,
): string {
  const key = needsKey ? '\n    authorization: `Bearer ${process.env.SPIKEGRID_KEY}`,' : '';
  const body = files.reduce(
    (text, { name, mark }) =>
      text.replace(
        JSON.stringify(mark),
        () => `(await readFile(${JSON.stringify(name)})).toString('base64')`,
      ),
    JSON.stringify(request, null, 2).replaceAll('\n', '\n  '),
  );
  const imports = files.length > 0 ? "import { readFile } from 'node:fs/promises';\n\n" : '';
  return `${imports}const answer = await fetch('${urlOf(origin)}', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',${key}
  },
  body: JSON.stringify(${body}),
});
if (!answer.ok) throw new Error(await answer.text());

const { outputs, usage, timing, spikes } = await answer.json();
console.log(outputs.text ?? outputs.classes);
console.log({ usage, timing, spikes });
`;
}
