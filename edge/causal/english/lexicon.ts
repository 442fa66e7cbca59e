import type { Span } from '../finding.ts';

export interface Token extends Span {
  /** Lowercase, with straight apostrophes. */
  readonly word: string;
  readonly isWord: boolean;
}

const TOKEN = /[$€£¥]?[\p{L}\p{N}]+(?:['’.,\-_/:][\p{L}\p{N}]+)*%?|\S/gu;

/** Words and punctuation of a sentence; `$3.2`, `U.S` and `node-7` are one word each. */
export function tokenise(text: string, { start, end }: Span): Token[] {
  return Array.from(text.slice(start, end).matchAll(TOKEN), (match) => {
    const [found] = match;
    const at = start + match.index;
    const isWord = /[\p{L}\p{N}]/u.test(found);
    const word = found.toLowerCase().replaceAll('’', "'");
    return { word, isWord, start: at, end: at + found.length };
  });
}

/** The word at an index, empty beyond the ends. */
export const wordAt = (tokens: readonly Token[], i: number): string => tokens[i]?.word ?? '';

/** A word list of the English rules, compiled by hand without a dictionary. */
export const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Words between a subject and the cue verb. */
export const AUXILIARIES = wordSet(`
  am is are was were be been being has have had having will would shall should can could may might must
  do does did to also then often usually probably possibly perhaps likely apparently allegedly reportedly
  presumably directly indirectly eventually finally ultimately quickly soon typically frequently
  sometimes always generally normally easily mainly mostly largely partly partially chiefly primarily
  only even still now actually really merely simply just again itself themselves himself herself
  seem seems seemed appear appears appeared tend tends tended known believed thought said found shown
  suspected reported expected helped helps help used started began continues continue continued not
  never no longer hardly rarely seldom in turn both thereby thus therefore hence consequently further
  almost certainly very most entirely strongly clearly in fact don't doesn't didn't won't can't cannot
  couldn't wouldn't isn't aren't wasn't weren't hasn't haven't hadn't
`);

export const BE = wordSet(`am is are was were be been being isn't aren't wasn't weren't`);

/** Words that negate the claim after them. */
export const NEGATORS = wordSet(`
  not never no neither nor hardly rarely seldom cannot don't doesn't didn't won't can't couldn't
  wouldn't isn't aren't wasn't weren't hasn't haven't hadn't nothing nobody none without fails failed
`);

/** Words that hedge a claim. */
export const HEDGES = wordSet(`
  may might could would should probably possibly perhaps likely apparently allegedly reportedly
  presumably seem seems seemed appear appears appeared suspected believed thought believe believes
  think thinks suspect suspects expected suggest suggests maybe supposedly potentially
`);

export const PARTIAL = wordSet('partly partially');

/** Verbs whose "to" preserves the claim: "appears to cause", but not "refused to cause". */
export const RAISING = wordSet(`
  appear appears appeared seem seems seemed tend tends tended known believed thought said found shown
  suspected reported expected helped helps help likely continue continues continued began begins starts
  started used able have has had proven proved claimed going ought bound
`);

/** Words at which a clause ends, in either direction. */
export const SUBORDINATORS = wordSet(`
  because although though while whereas if unless when whenever whether until once
`);

/** Words that begin something new after a comma. */
export const AFTER_COMMA = wordSet(`
  which who whom whose where but so although though while whereas because since as if when yet not thus
  thereby hence therefore then he she they we it i you said says according who's including even especially
  consequently accordingly leaving except
`);

/** Openers of a phrase that ends with a comma and states a time, place or source. */
export const OPENERS = wordSet(`
  in on at during after before when while although though despite with without within according by for
  from over under until near inside outside once whenever since throughout however moreover furthermore
  also additionally indeed meanwhile unfortunately fortunately today yesterday recently finally first second third
  then but and so yet next later eventually overall still instead otherwise surprisingly
  interestingly as to of apparently clearly note result worse nevertheless nonetheless
`);

/** Reporting words before "that". */
export const REPORTING = wordSet(`
  say says said saying believe believes believed think thinks thought find finds found show shows showed
  shown report reports reported argue argues argued suggest suggests suggested confirm confirms confirmed
  conclude concludes concluded estimate estimates estimated warn warns warned state states stated claim
  claims claimed know knows knew known note notes noted explain explains explained learn learned
  discovered discover revealed reveals reveal indicate indicates indicated fear fears feared hold holds
  insist insists insisted agree agrees agreed wrote write writes told clear evident mean means meant
  assume assumed fact evidence hypothesis idea possible likely announced demonstrate demonstrated
  demonstrates prove proves proved proven see saw seen suspect suspects suspected
`);

export const DETERMINERS = wordSet(`
  the a an this that these those my your his her its our their some any every each no several many few
  two three four five six seven eight nine ten both another such much more most all half other
`);

/** Pronouns: as a whole cause or effect they are meaningless. */
export const PRONOUNS = wordSet(`
  it he she they we i you him her them us me who whom what which that this these those there one itself
  something anything everything nothing nobody someone everyone anyone
`);

export const PERSONAL = wordSet(`i you he she we they`);
export const DEMONSTRATIVES = wordSet(`this that these those`);

/** Subjects that make a clause even with an unknown verb. */
export const SUBJECTS = wordSet(`
  it he she they we i you nobody everybody everyone someone nothing something there no-one
`);

/** Finite forms; regular past forms are recognised by their ending. */
export const FINITE = wordSet(`
  is are was were has have had can could cannot can't couldn't did didn't does doesn't do don't needs need
  wants want lacks lacked makes isn't aren't wasn't weren't hasn't haven't hadn't will would won't may might must
  should goes go gets never no seems seemed remains remained knew know knows believe believes
  am been fell rose came took got made left became went saw gave ran kept held stood began broke
  brought built bought caught chose cut drew drove ate felt found flew forgot froze grew heard hit hurt
  knew laid led lost meant met paid put read rang said sent set shook shut sank slept slid spoke spent
  split spread stuck struck swam swung taught tore told thought threw understood woke wore won wrote
  burst bent blew dug hid let rode sold shot sat sang stole swept wept wound withdrew
  says makes takes comes keeps stays becomes remains contains leaves fails seems happens
  exists occurs means requires belongs arrives begins feels loses moves lies thinks knows likes feeds
`);

/** Words in -ed that are not past forms. */
const NOT_PAST = wordSet(
  `need speed seed feed weed breed bed red shed hundred indeed bleed reed sacred naked`,
);

export const looksPast = (word: string) => /..ed$/.test(word) && !NOT_PAST.has(word);

/** Words before which "since" is temporal. */
export const TIMES = wordSet(`
  then monday tuesday wednesday thursday friday saturday sunday january february march april may june july
  august september october november december yesterday morning noon midnight last early late
  birth childhood spring summer autumn winter
`);

/** Verbs after "due to" that express a plan. */
export const PLANS = wordSet(`
  arrive be begin start open close leave end expire finish meet land launch depart appear return play
  speak come go take give run retire visit move receive become replace ship
`);

/** Things that physically lead somewhere. */
export const WAYS = wordSet(`
  road roads street path paths stairs stair staircase stairway corridor door doors trail bridge tunnel gate
  passage track steps hallway route lane avenue ladder link exit driveway way canal line
`);

/** Results of a contest. */
export const SCORES = wordSet('draw tie win defeat victory');

const ADVERBS = wordSet('only also most');

/** Adverbs of manner or certainty. */
export const isAdverb = (word: string): boolean =>
  /..ly$/.test(word) || HEDGES.has(word) || ADVERBS.has(word);
