import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Refuses words that a reader of the field would have to learn here, in names of files, code, comments and
 * documents. The right-hand side is the word to use. A wire name that has to stay is listed below.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

const BANNED: readonly (readonly [pattern: RegExp, use: string])[] = [
  [/\bheld[ -]back\b|\bheldBack\b/i, 'long poll (a request), held out (data)'],
  [/\bLeaseDesk\b|\blease[ -]desk\b/i, 'LeaseScheduler'],
  [
    /\b(Geo|Node|Log|Health|Memory|Sensors)Book\b|\b(geo|node|log|health|memory|sensors)-book\b/,
    'state, index, buffer or table',
  ],
  [/\bcourier\b/i, 'dispatcher or sender'],
  [/\bprocesses beside\b/, 'sidecar or companion process'],
  [/\bstartHeart\b|\bHeart\b/, 'heartbeat'],
  [/\bsurroundings\b/i, 'context or environment'],
  [/\bwishes\b/i, 'options'],
  [/\bbuildWalls\b|\bwalled\b/i, 'sandbox or isolation'],
  [/\bhappenings?\b/i, 'pending event'],
  [/\btell(s)? (of|whom)\b|\btellOf\b|\btold of\b/, 'notify'],
  [
    /\bthe-(lab|asking|evaluation|recall)\b|\btheNodeInTab\b|\bnode-in-tab\b/,
    'lab-store, playground-store, tab-node-store',
  ],
  [/\bways taken\b/i, 'recent routes'],
  [/\bClassWork\b|\bproducts a (unit|token)\b/i, 'operation counts, MACs per token'],
  [/\bclass answers?\b|\bClassAnswer\b|\btakes? (it|something|them) for\b/i, 'prediction'],
  [/\blesson\b/i, 'distillation loss'],
  [/\bnameNeurons\b/, 'assignLabels'],
  [/\bsecondRest\b/, 'initial state'],
  [/\bretreat\b/i, 'vjp or backward'],
  [/\bhearers?\b/i, 'postsynaptic neuron or target'],
  [/\bflipBits\b|\bflip-bits\b/, 'transposeBits'],
  [/\bsenses\b/i, 'vision, audio, privacy: what it is'],
  [/\b(MOST|LEAST|LARGEST|LONGEST|SMALLEST)_[A-Z]/, 'MAX_ or MIN_'],
  [/\bsmall letters\b/i, 'lowercase'],
  [/\bleast score\b/i, 'minimum score'],
  [/\bhad back\b/i, 'recovered'],
  [/\bwhere (he|she) is erased\b/i, 'erase from'],
  [/\bslip of the finger\b|\bfor ever\b/i, 'what is wrong, or the limit'],
  [/^\s*(\/\*\*|\*|\/\/)\s+What\s/, 'a noun phrase or a verb as the opening of a comment'],
];

/** Text that this project does not word: data, lockfiles, frozen decisions, this list. */
const LEFT_OUT = /^(docs\/decisions\/|tests\/(data|golden)\/|package-lock\.json|tools\/words\.ts)/;
const READ = /\.(ts|tsx|mjs|css|md|wgsl|toml|html|service|yaml)$/;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => READ.test(file) && !LEFT_OUT.test(file) && existsSync(join(root, file)));

const found = files.flatMap((file) => [
  ...faultsOf(file, `${file} (its name)`),
  ...readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((line, index) => faultsOf(line, `${file}:${index + 1}`)),
]);

function faultsOf(text: string, place: string): readonly string[] {
  return BANNED.flatMap(([pattern, use]) => {
    const match = pattern.exec(text);
    return match ? [`${place}: "${match[0].trim()}"; use: ${use}`] : [];
  });
}

for (const fault of found) console.error(fault);
if (found.length > 0) console.error(`words: ${found.length} to mend`);
else console.log(`words: ${files.length} files in the words of the field`);
process.exit(found.length > 0 ? 1 : 0);
