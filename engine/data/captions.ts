import type { ByteSource } from './byte-source.ts';
import { type CaptionLine, parseLines, refuse } from './caption-lines.ts';
import { openPictures, type PictureSet } from './caption-pictures.ts';
import { openSounds, type SoundSet } from './caption-sounds.ts';
import type { MelOptions } from './mel.ts';
import type { PictureShape } from './picture-size.ts';

/** Captions and what they belong to, in the order of the lines. */
export interface CaptionedSet {
  readonly name: string;
  readonly captions: readonly string[];
  /** The places of the pairs to learn from, and of those that are only asked. */
  readonly train: readonly number[];
  readonly test: readonly number[];
  readonly pictures?: PictureSet;
  readonly sounds?: SoundSet;
}

export interface CaptionOptions {
  /** The key of each line whose text is the caption; `caption` by default. */
  readonly captionKey?: string;
  /** The size that pictures are brought to. */
  readonly picture: PictureShape;
  readonly sound: MelOptions;
}

/** Without a `split` in the lines, each tenth pair is held back. */
const TEST_EVERY = 10;
const MOST_BYTES = 2 ** 26;

/**
 * Reads captioned pictures, sounds or both: a JSONL file with a line for each pair, `{"image": "cat.png",
 * "audio": "cat.wav", "caption": "a cat"}`, and the PNG and WAV files that it names, whose paths may
 * begin with folders; or the JSONL file and the pictures of all lines in one IDX file. A line may say that
 * it belongs to the `train` or `test` part of the `split`. Throws EngineError `captions-invalid` that names
 * the line, and as the files it reads do.
 */
export async function openCaptions(
  files: readonly ByteSource[],
  { captionKey = 'caption', picture, sound }: CaptionOptions,
): Promise<CaptionedSet> {
  const listings = files.filter(({ name }) => /\.jsonl$/i.test(name));
  const [listing] = listings;
  if (!listing || listings.length > 1) {
    refuse(
      `there are ${listings.length} files that end in .jsonl: expected one, with the captions`,
    );
  }
  const lines = parseLines(listing.name, await readText(listing), captionKey);
  const pictures = await openPictures(files, lines, picture);
  const sounds = await openSounds(files, lines, sound);
  if (!pictures && !sounds) {
    refuse(
      `${listing.name}: its lines name neither an image nor an audio file, and there is no IDX file: ` +
        `expected something that the captions belong to`,
    );
  }
  return {
    name: listing.name,
    captions: lines.map(({ caption }) => caption),
    ...splitOf(lines),
    ...(pictures && { pictures }),
    ...(sounds && { sounds }),
  };
}

async function readText(file: ByteSource): Promise<string> {
  if (file.size > MOST_BYTES) {
    refuse(`${file.name} has ${file.size} bytes, expected at most ${MOST_BYTES}`);
  }
  return new TextDecoder().decode(await file.read(0, file.size));
}

function splitOf(lines: readonly CaptionLine[]): Pick<CaptionedSet, 'train' | 'test'> {
  const isSplit = lines.some(({ split }) => split !== undefined);
  const isTest = ({ split }: CaptionLine, place: number) =>
    isSplit ? split === 'test' : place % TEST_EVERY === TEST_EVERY - 1;
  const places = lines.map((line, place) => ({ place, isTest: isTest(line, place) }));
  const placesOf = (part: typeof places) => part.map(({ place }) => place);
  const train = placesOf(places.filter((one) => !one.isTest));
  const test = placesOf(places.filter((one) => one.isTest));
  if (train.length === 0 || test.length === 0) {
    refuse(
      `${train.length} pairs to learn from and ${test.length} to test with: expected some of each`,
    );
  }
  return { train, test };
}
