import { type CueAttributes, cuesOf, type CueTable } from '../finding.ts';

/**
 * How a cue joins the two:
 * forward      cause CUE effect, a predicate            "frost causes damage"
 * backward     effect CUE cause, a predicate            "damage is caused by frost"
 * gerund       cause, CUE effect                        "the pipe froze, causing a leak"
 * preposition  effect CUE cause, or CUE cause, effect   "due to frost"
 * subordinate  the same with clauses                    "because the pipe froze"
 * since, as    the same, unless they tell a time
 * connective   cause; CUE effect, or two sentences      "therefore"
 * so           the same, or "so cold that"
 * make         cause CUE effect, where a verb follows   "made the lens stick"
 * reason       CUE of effect is cause                   "the cause of the leak"
 */
export type CueKind =
  | 'forward'
  | 'backward'
  | 'gerund'
  | 'preposition'
  | 'subordinate'
  | 'since'
  | 'as'
  | 'connective'
  | 'so'
  | 'make'
  | 'reason';

/** Words between those of a cue: anything but "as", which begins another, or adverbs only. */
export type Filler = 'any' | 'adverbs';

export interface Cue extends CueAttributes<CueKind> {
  /** A set of words for each place, or a filler of up to three words. */
  readonly places: readonly (ReadonlySet<string> | Filler)[];
  /** Words one of which has to follow the cue closely. */
  readonly needs?: ReadonlySet<string>;
}

const FILLERS: Readonly<Record<string, Filler>> = { '…': 'any', '~': 'adverbs' };
const BE = 'is|are|was|were|be|been|being';

/** A word after `+` has to follow the cue closely. */
const TABLE: CueTable<CueKind> = {
  forward: {
    causes: {
      strong: `
        cause|causes|caused, lead|leads|led to, result|results|resulted in,
        trigger|triggers|triggered, bring|brings|brought about, give|gives|gave rise to,
        ${BE} … cause|causes of`,
      medium: `
        set|sets off, spark|sparks|sparked, induce|induces|induced, elicit|elicits|elicited,
        provoke|provokes|provoked, prompt|prompts|prompted, bring|brings|brought on,
        ${BE} … responsible for, ${BE} … to blame for, ${BE} … reason for, ${BE} … source of,
        account|accounts|accounted for, led +to, force|forces|forced +to,
        compel|compels|compelled +to`,
    },
    contributes_to: {
      medium: `
        contribute|contributes|contributed to, play|plays|played a … part|role in,
        ${BE} … factor|factors in|for|to|behind, helped|helps cause`,
    },
    prevents: {
      strong: `
        prevent|prevents|prevented, block|blocks|blocked, inhibit|inhibits|inhibited,
        make|makes|made it impossible to|for`,
      medium: `
        hinder|hinders|hindered, hamper|hampers|hampered, avert|averts|averted,
        preclude|precludes|precluded, suppress|suppresses|suppressed,
        protect|protects|protected against|from, protect|protects|protected +from|out,
        stop|stops|stopped +from|out, keep|keeps|kept +from|out,
        discourage|discourages|discouraged +from|out`,
    },
    enables: {
      medium: `
        enable|enables|enabled, make|makes|made it possible to|for, allow|allows|allowed +to,
        permit|permits|permitted +to`,
      ambiguous: 'lets',
    },
    correlates: {
      medium: `
        correlate|correlates|correlated with, ${BE} … correlated with, ${BE} … associated with,
        been linked to|with, ${BE} strongly|closely|causally|clearly linked to|with`,
    },
  },
  backward: {
    causes: {
      strong: `
        caused by,
        caused|triggered mainly|largely|partly|primarily|mostly|chiefly|directly|solely by,
        triggered by, brought about by, result|results|resulted from, ${BE} … result of,
        ${BE} ~ due to`,
      medium: `
        set off by, sparked by, induced by, provoked by, stem|stems|stemmed from,
        arise|arises|arose from, ${BE} … consequence of, ${BE} ~ attributable to,
        attributed to, prompted by, driven by, brought on by, fuelled|fueled by,
        resulting from, stemming from, arising from, traced back to, traced to, blamed on,
        explained by`,
    },
    prevents: { medium: 'prevented by, blocked by, inhibited by, averted by' },
    enables: { medium: 'made possible by, enabled by' },
  },
  gerund: {
    causes: {
      strong: 'causing, leading to, resulting in, triggering, bringing about',
      medium: 'giving rise to, sparking, setting off, forcing +to',
    },
    prevents: { medium: 'preventing, blocking' },
    enables: { medium: 'enabling, allowing +to' },
  },
  preposition: {
    causes: {
      strong: `
        because of, due to, owing to, as a result of, as a consequence of, thanks to,
        on account of`,
      medium: `
        by virtue of, by reason of, in view of, in light of, in the light of, for lack of,
        for want of, in response to`,
    },
    contributes_to: { medium: 'due in part to, thanks in part to' },
  },
  subordinate: {
    causes: {
      strong: 'because',
      medium: 'given that, now that, inasmuch as, on the grounds that, seeing that',
    },
  },
  since: { causes: { ambiguous: 'since' } },
  as: { causes: { ambiguous: 'as' } },
  connective: {
    causes: {
      strong: `
        as a result, as a consequence, because of this|that, for this|that reason`,
      medium: `
        therefore, thereby, thus, hence, consequently, accordingly, that|this|which is|was why,
        that|this|which explains why, so that`,
    },
  },
  so: { causes: { ambiguous: 'so, such' } },
  make: { causes: { ambiguous: 'make|makes|made' } },
  reason: {
    causes: { strong: 'cause|causes of|for, reason|reasons, reason|reasons why|that|for' },
    correlates: { medium: 'correlation|association between' },
  },
};

/** English cues: longer phrases win over shorter ones at the same place. */
export const CUES: readonly Cue[] = cuesOf(TABLE, (phrase) => {
  const [places = '', needs] = phrase.split(' +');
  return {
    places: places.split(' ').map((place) => FILLERS[place] ?? wordSet(place)),
    ...(needs !== undefined && { needs: wordSet(needs) }),
  };
});

function wordSet(alternatives: string): ReadonlySet<string> {
  return new Set(alternatives.split('|'));
}
