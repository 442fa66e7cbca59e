import { Alias } from '../../../../edge/registry/contract/alias.ts';
import type { InferRequestInput } from '../../../../edge/inference/contract/infer.ts';
import type { ModelInputs } from '../../../../edge/inference/contract/request-inputs.ts';
import { ModelId } from '../../../../edge/registry/contract/model.ts';
import { Version } from '../../../../edge/contract/semver.ts';

/** A version of a model, by its number or by an alias. */
export interface Target {
  readonly modelId: string;
  readonly version?: string;
  readonly alias?: string;
}

/** Reads `id@version` or `id@alias`; null for anything else. */
export function parseTarget(written: string): Target | null {
  const at = written.lastIndexOf('@');
  const [modelId, choice] = [written.slice(0, at), written.slice(at + 1)];
  if (at < 0 || !ModelId.safeParse(modelId).success) return null;
  if (Version.safeParse(choice).success) return { modelId, version: choice };
  return Alias.safeParse(choice).success ? { modelId, alias: choice } : null;
}

export const writeTarget = ({ modelId, version, alias }: Target): string =>
  `${modelId}@${version ?? alias ?? ''}`;

interface Sampling {
  readonly max_length: number;
  readonly temperature: number;
  readonly top_k: number;
  readonly top_p: number;
  readonly seed: number;
  readonly stop: readonly string[];
  readonly raster: boolean;
}

export const MEDIA_KINDS = ['image', 'audio'] as const;
export type MediaKind = (typeof MEDIA_KINDS)[number];

/** A file as it is asked with. */
export interface GivenFile {
  readonly name: string;
  readonly file: Blob;
  readonly bytes: number;
  readonly base64: string;
}

export type GivenMedia = Readonly<Partial<Record<MediaKind, GivenFile>>>;

/** A request to one version or to two. */
export interface Question {
  readonly targets: readonly Target[];
  /** Empty where the model reads no text. */
  readonly prompt: string;
  /** Of what the model takes. */
  readonly media: GivenMedia;
  /** Whether the prompt is asked, be it empty or not. */
  readonly hasText: boolean;
  readonly sampling: Sampling;
}

/** Names of the targets; the second is distinguished from an identical first. */
export function namesOf({ targets }: Question): readonly string[] {
  const names = targets.map(writeTarget);
  return names.map((name, place) => (names.indexOf(name) === place ? name : `${name} (2)`));
}

/** The question to one version as the service takes it. */
export function requestOf(question: Question, target: Target): InferRequestInput {
  const { prompt, hasText, media, sampling } = question;
  const { modelId, version, alias } = target;
  const { stop, raster, ...numbers } = sampling;
  return {
    model_id: modelId,
    ...(version !== undefined && { version }),
    ...(alias !== undefined && { alias }),
    inputs: {
      ...(hasText && { text: prompt }),
      ...(media.image && { image: media.image.base64 }),
      ...(media.audio && { audio: media.audio.base64 }),
    },
    config: {
      ...numbers,
      ...(stop.length > 0 && { stop: [...stop] }),
      ...(raster && { raster }),
    },
  };
}

/** The request that a form makes to a model with these inputs; null while a required input is missing. */
export function asked(
  takes: ModelInputs,
  prompt: string,
  media: GivenMedia,
): Pick<Question, 'prompt' | 'media' | 'hasText'> | null {
  const given = MEDIA_KINDS.filter((kind) => takes[kind] && media[kind]);
  if (MEDIA_KINDS.some((kind) => takes[kind] === 'needed' && !media[kind])) return null;
  // A prompt that may be left out is, where it is empty and something else is asked.
  const isWanted = takes.text === 'needed' || prompt !== '' || given.length === 0;
  const hasText = takes.text !== undefined && isWanted;
  return {
    prompt: hasText ? prompt : '',
    hasText,
    media: Object.fromEntries(given.map((kind) => [kind, media[kind]])),
  };
}

/** Title of a request in lists: its prompt and the names of its files. */
export const titleOf = ({ prompt, media }: Pick<Question, 'prompt' | 'media'>): string =>
  [...MEDIA_KINDS.flatMap((kind) => media[kind]?.name ?? []), prompt.trim()]
    .filter((part) => part !== '')
    .join(' ');

const MAX_STOPS = 8;
const MAX_STOP_LENGTH = 64;
const ESCAPES: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t', '\\\\': '\\' };

/** Stop sequences, one a line; undefined where there are more or longer ones than the service takes. */
export function parseStops(lines: string): readonly string[] | undefined {
  const stops = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replaceAll(/\\[nt\\]/g, (escape) => ESCAPES[escape] ?? escape));
  const fits = stops.length <= MAX_STOPS && stops.every(({ length }) => length <= MAX_STOP_LENGTH);
  return fits ? stops : undefined;
}

/** The inverse of `parseStops`. */
export const writeStops = (stops: readonly string[]): string => stops.map(escaped).join('\n');

const escaped = (stop: string) =>
  stop.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
