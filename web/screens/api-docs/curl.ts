import type { Parameter } from '../../api/openapi-client.ts';
import type { Described } from './operations.ts';

/** Methods that curl has an option of its own for; `-X HEAD` would wait for a body. */
const METHOD_OPTIONS: Readonly<Record<string, string>> = { GET: '', HEAD: '--head ' };

/** A shell command that sends an operation's example; the key is taken from the environment. */
export function curlOf(described: Described, origin: string): string {
  const { method, operation } = described;
  const body = bodyOf(operation);
  return [
    `curl ${METHOD_OPTIONS[method] ?? `-X ${method} `}${quoted(origin + exampleAddress(described))}`,
    ...(operation.security?.length ? ['-H "Authorization: Bearer $SPIKEGRID_KEY"'] : []),
    ...examplesOf(described, 'header').map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`-H ${quoted(`Content-Type: ${body.type}`)}`, body.option] : []),
  ].join(' \\\n  ');
}

function exampleAddress(described: Described): string {
  const values = new Map(examplesOf(described, 'path'));
  const path = described.path.replaceAll(/\{(\w+)\}/g, (hole, name: string) =>
    encodeURIComponent(values.get(name) ?? hole),
  );
  const query = new URLSearchParams(examplesOf(described, 'query'));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Names and example values of the parameters in one place; optional ones without an example are left out. */
function examplesOf({ parameters }: Described, place: Parameter['in']): [string, string][] {
  return parameters
    .filter((one) => one.in === place && (one.example !== undefined || one.required))
    .flatMap(({ name, example = name }) =>
      listOf(example).map((value): [string, string] => [name, value]),
    );
}

function bodyOf({ requestBody }: Described['operation']) {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  const { example } = media ?? {};
  if (example === undefined) return { type, option: "--data-binary '@file'" };
  const data = typeof example === 'string' ? example : JSON.stringify(example);
  return { type, option: `--data ${quoted(data)}` };
}

export const listOf = (value: unknown): string[] => [value].flat().map(String);

/** In single quotes nothing is special to a shell but the single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
