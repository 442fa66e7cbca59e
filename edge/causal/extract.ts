import { readEnglish } from './english/english.ts';
import { confidenceOf, type CausalFinding, type Draft, type Span } from './finding.ts';
import { readJapanese } from './japanese/japanese.ts';
import { splitSentences, type Sentence } from './sentences.ts';

export type { CausalFinding } from './finding.ts';

const READERS = { en: readEnglish, ja: readJapanese } as const;

/**
 * The causes and effects stated in a text in English or Japanese, in the order of its sentences.
 * Every `cause`, `effect`, `cue` and `evidence` is a literal span of the text. Takes time linear in
 * its length.
 */
export function extractCauses(text: string): readonly CausalFinding[] {
  const sentences = splitSentences(text);
  return sentences.flatMap((sentence, i) => {
    const previous = sentence.follows ? sentences[i - 1] : undefined;
    const drafts = READERS[sentence.language](text, sentence, previous);
    return distinct(drafts.map((draft) => findingOf(text, draft, { sentence, previous })));
  });
}

interface Place {
  readonly sentence: Sentence;
  readonly previous: Sentence | undefined;
}

function findingOf(text: string, draft: Draft, { sentence, previous }: Place): CausalFinding {
  const wordsOf = ({ start, end }: Span) => text.slice(start, end);
  const reachesBack = Math.min(draft.cause.start, draft.effect.start) < sentence.start;
  const first = reachesBack && previous ? previous : sentence;
  return {
    cause: wordsOf(draft.cause),
    effect: wordsOf(draft.effect),
    relation: draft.relation,
    confidence: confidenceOf(draft),
    evidence: wordsOf({ start: first.start, end: sentence.end }),
    language: sentence.language,
    pattern: draft.pattern,
    cue: wordsOf(draft.cue),
  };
}

/** Where two cues yield the same result, the more confident one stays. */
function distinct(findings: readonly CausalFinding[]): CausalFinding[] {
  const kept = new Map<string, CausalFinding>();
  for (const finding of findings) {
    const { cause, effect, relation, confidence } = finding;
    if (cause === '' || effect === '' || cause === effect) continue;
    const key = JSON.stringify([cause, effect, relation]);
    if ((kept.get(key)?.confidence ?? 0) < confidence) kept.set(key, finding);
  }
  return [...kept.values()];
}
