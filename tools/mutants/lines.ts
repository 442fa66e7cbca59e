import { maskedLines, type Site, sitesOf } from './operators.ts';

/** A fault as it was drawn: enough to find its line again after files were moved and words changed. */
export interface Fault {
  readonly id: number;
  readonly area: string;
  readonly file: string;
  /** From 0. */
  readonly line: number;
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly operator: string;
  readonly nth: number;
  readonly of: number;
  readonly faulty: string;
}

/** A place in another tree where a fault can be made. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly faulty: string;
  /** 1 where the line and those around it are the same. */
  readonly likeness: number;
}

const AROUND = 3;
/** Below it a line counts as rewritten. */
const LEAST = 0.55;
/** In the file that git takes for the same, this is enough to look no further. */
const SURE = 0.8;

export function contextOf(lines: readonly string[], line: number) {
  const context = (from: number, to: number) => lines.slice(Math.max(0, from), to).join('\n');
  return { before: context(line - AROUND, line), after: context(line + 1, line + 1 + AROUND) };
}

/** Finds the line of a fault: in the file that took its file's place, or anywhere if it is not there. */
export function findPlace(
  fault: Fault,
  sources: ReadonlyMap<string, string>,
  renamed: string,
): Place | undefined {
  const here = bestIn(fault, renamed, sources.get(renamed) ?? '');
  const isSame = here?.text.trim() === fault.text.trim();
  if (here && (isSame || here.likeness >= SURE)) return here;
  const all = [...sources].flatMap(([file, source]) =>
    isShader(file) === isShader(fault.file) ? (bestIn(fault, file, source) ?? []) : [],
  );
  const best = all.toSorted((a, b) => b.likeness - a.likeness)[0];
  return best && best.likeness >= LEAST ? best : undefined;
}

const isShader = (file: string) => file.endsWith('.wgsl');

function bestIn(fault: Fault, file: string, source: string): Place | undefined {
  const lines = source.split('\n');
  const wanted = pairsOf(fault.text);
  const context = [pairsOf(fault.before), pairsOf(fault.after)] as const;
  const places = lines.flatMap((text, line): Place[] => {
    if (Math.abs(text.trim().length - fault.text.trim().length) > 25) return [];
    const alike = likeness(wanted, pairsOf(text));
    if (alike < LEAST) return [];
    const site = sameSite(fault, sitesOf(text, maskedLines(text)[0] ?? ''));
    if (!site) return [];
    const { before, after } = contextOf(lines, line);
    const around = likeness(context[0], pairsOf(before)) + likeness(context[1], pairsOf(after));
    return [{ file, line, text, faulty: site.faulty, likeness: (2 * alike + around) / 4 }];
  });
  return places.toSorted((a, b) => b.likeness - a.likeness)[0];
}

function sameSite(fault: Fault, sites: readonly Site[]): Site | undefined {
  const same = sites.filter(({ operator }) => operator === fault.operator);
  if (same[0]?.of === fault.of) return same[fault.nth];
  return same.length === 1 ? same[0] : undefined;
}

/** Neighbouring tokens, each pair as often as it occurs. */
function pairsOf(text: string): ReadonlyMap<string, number> {
  const tokens = ['^', ...(text.match(/\w+|[^\s\w]/g) ?? []), '$'];
  const pairs = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    for (const one of at > 0 ? [token, `${tokens[at - 1]} ${token}`] : []) {
      pairs.set(one, (pairs.get(one) ?? 0) + 1);
    }
  }
  return pairs;
}

/** The Dice coefficient of two sets of pairs. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  let all = 0;
  for (const [pair, count] of a) shared += Math.min(count, b.get(pair) ?? 0);
  for (const count of [...a.values(), ...b.values()]) all += count;
  return (2 * shared) / all;
}
