import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, type ESTree, type Plugin, Visitor } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TABLE = /\/edge\/.*endpoints\.ts$/;

/** Where calls of endpoints are written that run in a page or its workers. */
const CALLERS = ['web/**/*.{ts,tsx}', '{trainer,brain}/**/*.ts', 'edge/**/contract/**/*.ts'];

/** Read by the client that contract/client.ts makes of a table; all else serves handlers and the API description. */
const READ_BY_CLIENT = new Set(['method', 'path', 'body', 'responses']);

/** An object with two of these is an endpoint. */
const MARKS = new Set(['method', 'path', 'summary', 'responses']);

/**
 * Leaves of each table of endpoints what a page needs: the endpoints that something in it names, without
 * summaries, refusals and schemas of requests. What only these referred to falls out of the build.
 */
export function pageEndpoints(): Plugin {
  let words: ReadonlySet<string> = new Set();
  return {
    name: 'page-endpoints',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      words = new Set(CALLERS.flatMap((pattern) => wordsOf(globSync(pattern, { cwd: ROOT }))));
    },
    transform: {
      filter: { id: TABLE },
      handler: (code, id) => withoutRanges(code, unread(id, code, words)),
    },
  };
}

const wordsOf = (files: readonly string[]): readonly string[] =>
  files.flatMap((file) => readFileSync(ROOT + file, 'utf8').match(/\w+/g) ?? []);

type Range = readonly [start: number, end: number];

/** The places of a table that no page reads. */
function unread(id: string, code: string, words: ReadonlySet<string>): readonly Range[] {
  const { program } = parseSync(id, code, { lang: 'ts' });
  const imported = new Set<string>();
  const ranges: Range[] = [];
  const cut = ({ start, end }: ESTree.ObjectPropertyKind) => {
    const comma = /^\s*,/.exec(code.slice(end))?.[0] ?? '';
    ranges.push([start, end + comma.length]);
  };
  new Visitor({
    ImportDeclaration({ specifiers }) {
      for (const { local } of specifiers) imported.add(local.name);
    },
    ObjectExpression(object) {
      const ofEndpoint = isEndpoint(object);
      for (const property of object.properties) {
        if (property.type === 'SpreadElement') continue;
        const isRead = ofEndpoint
          ? READ_BY_CLIENT.has(nameOf(property)) && !isSchemaOfBody(property, imported)
          : words.has(nameOf(property)) || !isEndpoint(property.value);
        if (!isRead) cut(property);
      }
    },
  }).visit(program);
  return ranges;
}

/** An endpoint, or the part that several share. */
const isEndpoint = (value: ESTree.Node): boolean =>
  value.type === 'ObjectExpression' &&
  value.properties.filter((one) => one.type === 'Property' && MARKS.has(nameOf(one))).length > 1;

const nameOf = ({ key }: ESTree.ObjectProperty): string =>
  key.type === 'Identifier' ? key.name : '';

/** A body without media is JSON to the client. Media are written out here; schemas are imported, or made. */
const isSchemaOfBody = (
  { key, value }: ESTree.ObjectProperty,
  imported: ReadonlySet<string>,
): boolean =>
  key.type === 'Identifier' &&
  key.name === 'body' &&
  (value.type === 'CallExpression' || (value.type === 'Identifier' && imported.has(value.name)));

/** The text without some ranges; one may lie within another. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let kept = '';
  let at = 0;
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    kept += text.slice(at, Math.max(at, start));
    at = Math.max(at, end);
  }
  return kept + text.slice(at);
}
