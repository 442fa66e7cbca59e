import type { MelOptions } from '../audio/mel.ts';
import type { DataFiles } from '../files/data-files.ts';
import type { ImageShape } from '../images/resize-image.ts';
import { type CaptionLine, createCaptionReader, parseLines, refuse } from './caption-files.ts';
import {
  type CaptionAudio,
  type CaptionImages,
  openCaptionAudio,
  openCaptionImages,
} from './caption-media.ts';

/** Captions with their images and audio, in the order of the lines. */
export interface CaptionedSet {
  readonly name: string;
  /** SHA-256 in hexadecimal of all files that were read. */
  readonly digest: string;
  readonly captions: readonly string[];
  /** Category of each pair, if all lines have one. */
  readonly groups?: readonly string[];
  /** Indices of the pairs to train on, and of those held out. */
  readonly train: readonly number[];
  readonly test: readonly number[];
  readonly pictures?: CaptionImages;
  readonly sounds?: CaptionAudio;
}

export interface CaptionOptions {
  /** The key of each line whose text is the caption. */
  readonly captionKey: string;
  /** The size that images are scaled to. */
  readonly picture: ImageShape;
  readonly sound: MelOptions;
  /** Called with the bytes read so far, of all there are. */
  readonly onProgress?: (read: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Without a `split` in the lines, every tenth pair is held out. */
const TEST_EVERY = 10;

/**
 * Reads captioned images, audio or both: a JSONL file with a line for each pair, `{"image": "cat.png",
 * "audio": "cat.wav", "caption": "a cat"}`, and the PNG and WAV files that it names; or the JSONL file and
 * the images of all lines in one IDX file. A line may have a `split`, `train` or `test`, and a `group`.
 * Throws EngineError `captions-invalid` that names the line, and the errors of the readers of its files.
 */
export async function openCaptions(
  { name, files }: DataFiles,
  { captionKey, picture, sound, ...options }: CaptionOptions,
): Promise<CaptionedSet> {
  const reader = createCaptionReader(files, options);
  const listing = reader.find(/\.jsonl$/i);
  if (!listing)
    refuse(`none of ${files.length} files ends in .jsonl: expected one with the captions`);
  const source = await reader.read(listing);
  const text = new TextDecoder().decode(await source.read(0, source.size));
  const lines = parseLines(listing.path, text, captionKey);
  const pictures = await openCaptionImages(reader, lines, picture);
  const sounds = await openCaptionAudio(reader, lines, sound);
  if (!pictures && !sounds) {
    refuse(
      `${listing.path}: its lines name neither an image nor an audio file, and there is no IDX file: ` +
        `expected something that the captions belong to`,
    );
  }
  return {
    name,
    digest: reader.digest(),
    captions: lines.map(({ caption }) => caption),
    ...groupsOf(lines),
    ...splitOf(lines),
    ...(pictures && { pictures }),
    ...(sounds && { sounds }),
  };
}

/** The indices of a split. */
export function placesOf(
  { captions, train, test }: CaptionedSet,
  split: 'train' | 'validation' | 'all',
): readonly number[] {
  if (split === 'all') return Array.from(captions.keys());
  return split === 'train' ? train : test;
}

function groupsOf(lines: readonly CaptionLine[]): Pick<CaptionedSet, 'groups'> {
  const groups = lines.flatMap(({ group }) => (group === undefined ? [] : [group]));
  return groups.length === lines.length ? { groups } : {};
}

function splitOf(lines: readonly CaptionLine[]): Pick<CaptionedSet, 'train' | 'test'> {
  const isSplit = lines.some(({ split }) => split !== undefined);
  const isTest = ({ split }: CaptionLine, place: number) =>
    isSplit ? split === 'test' : place % TEST_EVERY === TEST_EVERY - 1;
  const places = lines.map((line, place) => ({ place, isTest: isTest(line, place) }));
  const numbersOf = (part: typeof places) => part.map(({ place }) => place);
  const train = numbersOf(places.filter((one) => !one.isTest));
  const test = numbersOf(places.filter((one) => one.isTest));
  if (train.length === 0 || test.length === 0) {
    refuse(
      `${train.length} pairs to learn from and ${test.length} to test with: expected some of each`,
    );
  }
  return { train, test };
}
