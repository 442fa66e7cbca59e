import { transformSync } from 'esbuild';

/** One way to break a line. `find` is matched against the line without its texts and comments. */
interface Operator {
  readonly name: string;
  readonly find: RegExp;
  /** Undefined where the match turns out not to fit. */
  readonly put: (found: string) => string | undefined;
}

/** Swaps tokens that stand between spaces, as the formatter writes binary operators; types have none there. */
function swap(name: string, ...pairs: readonly `${string} ${string}`[]): Operator[] {
  return pairs.map((pair) => {
    const [from = '', to] = pair.split(' ');
    const find = new RegExp(`(?<= )${from.replaceAll(/[*+?|/]/g, '\\$&')}(?= |$)`, 'g');
    return { name: `${name} ${from}`, find, put: () => to };
  });
}

const OPERATORS: readonly Operator[] = [
  ...swap('boundary', '< <=', '<= <', '> >=', '>= >'),
  ...swap('comparison', '=== !==', '!== ===', '== !=', '!= =='),
  ...swap('arithmetic', '+ -', '- +', '* /', '/ *', '+= -=', '-= +='),
  ...swap('logic', '&& ||', '|| &&', '?? &&'),
  {
    name: 'extreme',
    find: /(?<![\w$])(?:max|min)(?=\()/g,
    put: (one) => (one === 'max' ? 'min' : 'max'),
  },
  {
    name: 'truth',
    find: /(?<![\w$.])(?:true|false)(?![\w$:?])/g,
    put: (one) => String(one === 'false'),
  },
  { name: 'negation', find: /(?<=[( ])!(?=[\w(])/g, put: () => '' },
  { name: 'condition', find: /(?<=\bif )\(.*$/g, put: negate },
  { name: 'constant', find: /(?<![\w$.@-])\d+(?:\.\d+)?(?![\w$.])/g, put: next },
  { name: 'return', find: /(?<=^\s*(?:if \(.*\) )?return) .+(?=;$)/g, put: () => '' },
  { name: 'refusal', find: /(?<=^\s*(?:if \(.*\) )?)throw new .*;$/g, put: () => ';' },
  {
    name: 'call',
    find: /(?<=^\s*)(?:await )?(?!super|return|throw)[\w$.#]+\(.*\);$/g,
    put: () => ';',
  },
];

/** Negates a condition that ends on its line. */
function negate(found: string): string | undefined {
  let depth = 0;
  for (const [at, sign] of Array.from(found).entries()) {
    if (sign === '(') depth++;
    if (sign === ')' && --depth === 0) return `(!${found.slice(0, at + 1)})${found.slice(at + 1)}`;
  }
  return undefined;
}

function next(found: string): string {
  const [, digits] = found.split('.');
  const more = Number(found) + 1;
  return digits === undefined ? String(more) : more.toFixed(digits.length);
}

/** A fault that a line can be given: the operator and which of its places in the line. */
export interface Site {
  readonly operator: string;
  readonly nth: number;
  /** How many places the operator has in the line. */
  readonly of: number;
  /** The whole line with the fault. */
  readonly faulty: string;
}

/** The faults of a line, of which `masked` is the same line without texts and comments. */
export function sitesOf(line: string, masked: string): readonly Site[] {
  if (/^\s*(?:import|export \*|export \{|type|@)/.test(masked)) return [];
  return OPERATORS.flatMap(({ name, find, put }) => {
    const all = Array.from(masked.matchAll(find));
    return all.flatMap(({ 0: found, index }, nth) => {
      const to = put(line.slice(index, index + found.length));
      if (to === undefined) return [];
      const faulty = line.slice(0, index) + to + line.slice(index + found.length);
      return [{ operator: name, nth, of: all.length, faulty }];
    });
  });
}

const TEXTS =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** The lines of a source with texts and comments replaced by as many underscores. */
export function maskedLines(source: string): readonly string[] {
  return source.replaceAll(TEXTS, (text) => text.replaceAll(/[^\n]/g, '_')).split('\n');
}

/** Whether a fault compiles to something else than the source does: types and formatting do not. */
export function isFelt(file: string, source: string, faulty: string): boolean {
  if (file.endsWith('.wgsl') || file.includes('/assembly/')) return true;
  const loader = file.endsWith('.tsx') ? 'tsx' : 'ts';
  const compile = (code: string) =>
    transformSync(code, { loader, minify: true, logLevel: 'silent' }).code;
  try {
    return compile(source) !== compile(faulty);
  } catch {
    return false;
  }
}
