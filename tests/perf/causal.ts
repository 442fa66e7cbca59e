import { parseArgs } from 'node:util';
import { extractCauses } from '../../edge/causal/extract.ts';
import { judge, readLabelled, type ErrorKind } from '../edge/causal-set.ts';
import { hostileTexts } from '../edge/hostile-texts.ts';

/**
 * Precision and recall of causal extraction on the labelled set, with its errors by kind. Run by hand:
 * `causal.ts [--split tune|held] [--language en|ja] [--errors] [--hostile]`; `--hostile` times texts of 250,000 and
 * 1,000,000 characters that try to make reading slow.
 */
const { values } = parseArgs({
  options: {
    split: { type: 'string' },
    language: { type: 'string' },
    errors: { type: 'boolean', default: false },
    hostile: { type: 'boolean', default: false },
  },
});

const percent = (share: number) => `${(100 * share).toFixed(1)} %`.padStart(7);

for (const language of ['en', 'ja'] as const) {
  if (values.language !== undefined && values.language !== language) continue;
  const texts = readLabelled(language);
  for (const split of ['tune', 'held'] as const) {
    if (values.split !== undefined && values.split !== split) continue;
    const chosen = texts.filter((text) => text.split === split);
    const result = judge(chosen);
    console.log(
      `${language} ${split}: precision ${percent(result.precision)}, recall ${percent(result.recall)}, F1 ${percent(result.f1)}; ` +
        `${chosen.length} texts, ${result.labelled} edges, ${result.found} found, ${result.matched} matched, ` +
        `${result.sameRelation} of them with the very relation`,
    );
    const kinds = new Map<ErrorKind, number>();
    for (const { kind } of result.errors) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    console.log(
      `  ${Array.from(kinds, ([kind, count]) => `${kind} ${count}`).join(', ') || 'no errors'}`,
    );
    if (!values.errors) continue;
    for (const { kind, id, edge } of result.errors) {
      console.log(`  ${kind} ${id}: [${edge.cause}] ${edge.relation} [${edge.effect}]`);
    }
  }
}

const LENGTH = 1_000_000;

/** CPU milliseconds that reading a text takes. */
function cpuMs(text: string): number {
  const before = process.cpuUsage();
  extractCauses(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

if (values.hostile) {
  const quarter = hostileTexts(LENGTH / 4);
  for (const [i, [name, text]] of hostileTexts(LENGTH).entries()) {
    const short = cpuMs(quarter[i]?.[1] ?? '');
    console.log(`${name}: ${short.toFixed(0)} ms, four times as long ${cpuMs(text).toFixed(0)} ms`);
  }
}
