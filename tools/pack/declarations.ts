/* A declaration file as tsc writes it: each statement begins at the left margin. */

/** Names that a statement takes from another file, by the names that they have here. */
export interface Taken {
  readonly from: string;
  /** `*` for the whole module. */
  readonly names: ReadonlyMap<string, string>;
  readonly isPassedOn: boolean;
}

export interface Statement {
  readonly text: string;
  /** Without comments. */
  readonly code: string;
  /** Names that it declares, and those of them that it exports. */
  readonly declares: readonly string[];
  readonly isExported: boolean;
  readonly taken: Taken | undefined;
}

const BEGINS = /^(?:export|import|declare|interface|type|const|class|abstract|function)\b/;
const DECLARES =
  /^(?:export )?(?:declare )?(?:default )?(?:abstract )?(?:const|let|var|function|class|interface|type|enum|namespace) (\w+)/;
const TAKES =
  /^(import|export)\s+(?:type\s+)?(?:\{([^]*?)\}|\*(?:\s+as\s+(\w+))?)\s*from\s*['"]([^'"]+)['"]/;

export function statementsOf(source: string): Statement[] {
  const texts: string[] = [];
  // A comment belongs to the line behind it, which may go on with what was before.
  let comment: string[] = [];
  for (const line of source.split('\n').filter((one) => !one.startsWith('//#'))) {
    if (/^(?:\/\*| \*)/.test(line)) {
      comment.push(line);
      continue;
    }
    const whole = [...comment, line].join('\n');
    comment = [];
    if (BEGINS.test(line)) texts.push(whole);
    else texts.push(`${texts.pop() ?? ''}\n${whole}`);
  }
  return texts.filter((text) => text.trim() !== '').map(readStatement);
}

function readStatement(text: string): Statement {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, '').trim();
  const [, declared] = DECLARES.exec(code) ?? [];
  const isExported = code.startsWith('export');
  const taken = takenBy(code);
  const listed = taken ? [] : (/^export (?:type )?\{([^]*?)\}/.exec(code)?.[1] ?? '');
  const declares = declared === undefined ? [] : [declared];
  const own = typeof listed === 'string' ? [...pairsOf(listed).keys()] : [];
  return { text, code, declares: [...declares, ...own], isExported, taken };
}

function takenBy(code: string): Taken | undefined {
  const [, word, list, whole, from] = TAKES.exec(code) ?? [];
  if (from === undefined) return undefined;
  const names = list === undefined ? new Map([[whole ?? '*', '*']]) : pairsOf(list);
  return { from, names, isPassedOn: word === 'export' };
}

/** `a, type b as c` as the names here with those there. */
function pairsOf(list: string): Map<string, string> {
  const pairs = list.split(',').flatMap((one): [string, string][] => {
    const [, there, here] = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(one) ?? [];
    return there === undefined ? [] : [[here ?? there, there]];
  });
  return new Map(pairs);
}
