import { type CueAttributes, cuesOf, type CueTable } from '../finding.ts';
import { EVENT } from './lexicon.ts';

/**
 * How a cue joins the two:
 * noun        a noun phrase CUE effect             大雨により橋が閉まった
 * clause      a clause CUE effect                  雨が降ったので橋が閉まった
 * tame, kara  the same, unless of purpose or source
 * de          the same behind a noun of an event   停電で止まった
 * verb        cause が effect CUE                  大雨が洪水を引き起こした
 * outcome     clause、effect CUE                   船が座礁し、航路が閉まる結果となった
 * topic       effect CUE cause                     洪水の原因は大雨だ
 * final       effect は cause CUE, or effect。cause CUE   橋が閉まったのは雨が降ったからだ
 * connective  clause、CUE effect, or two sentences その結果
 * attribute   cause CUE effect, one noun phrase    大雨による洪水
 * relation    two nouns と … CUE                   身長と体重には相関がある
 */
export type CueKind =
  | 'noun'
  | 'clause'
  | 'tame'
  | 'kara'
  | 'de'
  | 'verb'
  | 'outcome'
  | 'topic'
  | 'final'
  | 'connective'
  | 'attribute'
  | 'relation';

interface Cue extends CueAttributes<CueKind> {
  readonly form: string;
}

export interface CueMatch {
  readonly cue: Cue;
  /** Offsets in the sentence. */
  readonly from: number;
  readonly to: number;
}

const TABLE: CueTable<CueKind> = {
  noun: {
    causes: {
      strong: `
        が原因で, が原因となって, が原因になって, のせいで, せいで, せいか,
        のおかげで, おかげで, に起因して, がもとで, が元で, がきっかけで,
        がきっかけとなって`,
      medium: `
        により, によって, に伴い, に伴って, にともない, にともなって, を受けて,
        を受け、, を背景に, を背景として, の影響で, の影響により, の影響によって,
        を理由に, をきっかけに, ことで、, が一因となって, も一因となって,
        が引き金となって`,
    },
  },
  clause: {
    causes: {
      strong: 'ことから',
      medium: 'ので',
      ambiguous: 'くて、, くて',
    },
  },
  tame: { causes: { ambiguous: 'ため' } },
  kara: { causes: { ambiguous: 'から' } },
  de: { causes: { ambiguous: 'で' } },
  verb: {
    causes: {
      strong: `
        を引き起こ, をひき起こ, をもたら, につなが, に繋が, の原因, を誘発,
        の引き金`,
      medium: `
        を招, を生む, を生ん, を生み, に至ら, を余儀なく, に結びつ, に結び付`,
    },
    prevents: {
      strong: 'を防, を妨, を阻, を防止',
      medium: `
        を抑, を予防, を妨害, の妨げ, の予防, を食い止, を不可能に, を遮断,
        が防がれ, が妨げられ, が阻まれ, が抑えられ`,
    },
    enables: { medium: 'を可能に, が可能に, が可能と, ができるように' },
    contributes_to: { medium: 'の一因, の要因, に寄与, に貢献, に影響し, に影響を' },
  },
  outcome: {
    causes: {
      strong: '原因とな, 原因にな',
      medium: '結果とな, 結果にな',
    },
  },
  topic: { causes: { strong: '原因は, 理由は, 原因の一つは' } },
  final: {
    causes: {
      strong: `
        が原因だ, が原因です, が原因であ, が原因と, に起因する, に起因し,
        に由来する, によるもの, が原因。, が理由だ, によって引き起こされ,
        により引き起こされ, によって生じ, によって起こ, によってもたらされ`,
      medium: `
        からだ, からです, からであ, せいだ, せいです, せいであ, おかげだ,
        おかげです, おかげであ, ためだ, ためです, ためであ, ためと`,
    },
  },
  connective: {
    causes: {
      strong: 'その結果, この結果, そのせいで, このせいで, そのおかげで',
      medium: `
        そのため, このため, これにより, これによって, それにより, それによって,
        したがって, 従って, よって, だから, ですから, それで, それゆえ, ゆえに,
        結果として, おかげで`,
    },
  },
  attribute: { causes: { medium: 'による' } },
  relation: { correlates: { medium: '相関, 関連, 関係' } },
};

const byFirstCharacter = new Map<string, Cue[]>();
const cues: readonly Cue[] = cuesOf(TABLE, (form) => ({ form }));
for (const cue of cues.toSorted((a, b) => b.form.length - a.form.length)) {
  const first = cue.form.charAt(0);
  byFirstCharacter.set(first, [...(byFirstCharacter.get(first) ?? []), cue]);
}

/** Real sentences have fewer; the limit bounds the time for adversarial ones. */
const MAX_CUES = 16;

/** The cues of a sentence, the longest at each place, without overlaps. */
export function matchCues(sentence: string): CueMatch[] {
  const matches: CueMatch[] = [];
  for (let i = 0; i < sentence.length && matches.length < MAX_CUES; i++) {
    const cue = byFirstCharacter
      .get(sentence.charAt(i))
      ?.find((candidate) => sentence.startsWith(candidate.form, i) && fits(sentence, i, candidate));
    if (!cue) continue;
    matches.push({ cue, from: i, to: i + cue.form.length });
    i += cue.form.length - 1;
  }
  return matches;
}

/** In ではない, でも, です, でした, である, できる and でしょう, で is not a particle. */
const NO_DE = /[はもすしきあごょ]/;
const isEvent = (sentence: string, at: number) =>
  EVENT.test(sentence.slice(Math.max(0, at - 8), at));

interface Place {
  readonly sentence: string;
  readonly at: number;
  readonly form: string;
  /** The characters on either side, empty at the ends. */
  readonly before: string;
  readonly after: string;
}

const opens = ({ before }: Place) => before === '' || /[、。「『（(:：\s・]/.test(before);

/** Whether a matched form really is a cue of its kind. */
const FITS: Partial<Record<CueKind, (place: Place) => boolean>> = {
  connective: (place) => opens(place) && !(place.form === 'それで' && NO_DE.test(place.after)),
  outcome: ({ before }) => !/[のがも]/.test(before),
  attribute: ({ after }) => !/[とこ]/.test(after),
  verb: ({ form, after }) => !form.startsWith('の') || after !== 'は',
  de: ({ sentence, at, after }) => !NO_DE.test(after) && isEvent(sentence, at),
  noun: (place) =>
    !(place.form.endsWith('で') && NO_DE.test(place.after)) &&
    !(place.form === 'おかげで' && opens(place)),
};

function fits(sentence: string, at: number, { kind, form }: Cue): boolean {
  const before = sentence.charAt(at - 1);
  const after = sentence.charAt(at + form.length);
  return FITS[kind]?.({ sentence, at, form, before, after }) ?? true;
}

/** The input of a Japanese rule: a sentence and one of its cues. */
export interface Context {
  readonly sentence: string;
  readonly match: CueMatch;
  /** The end of the previous cue and the start of the next one. */
  readonly least: number;
  readonly nextCue: number;
  readonly hasPrevious: boolean;
}
