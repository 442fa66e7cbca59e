import {
  blobSource,
  type ByteSource,
  choiceFrom,
  type Corpus,
  openCorpus,
  preparationFrom,
  type TextFields,
} from '../../../engine/index.ts';
import type { TextChoice, TextFacts, TextState } from '../protocol.ts';
import { toFailure } from './to-failure.ts';

/** Characters of the beginning that are shown. */
const PREVIEW_CHARACTERS = 600;

export interface Texts {
  /** The chosen text once it is read to its end. Rejects with what is wrong with it. */
  current(): Promise<Corpus> | undefined;
  /** Reads another text; one that is being read is given up. */
  choose(choice: TextChoice, reading: Partial<TextFields>): void;
  /** There is no text any more. */
  forget(): void;
}

/** @param announce called with every change: bytes read, the facts, the refusal */
export function createTexts(announce: (state: TextState) => void, fetcher: typeof fetch): Texts {
  let corpus: Promise<Corpus> | undefined;
  let reading: AbortController | undefined;

  return {
    current: () => corpus,
    choose(choice, fields) {
      reading?.abort();
      const mine = new AbortController();
      reading = mine;
      const tell = (state: TextState) => {
        if (reading === mine) announce(state);
      };
      const opening = read(choice, tell, { fetcher, fields, signal: mine.signal });
      corpus = opening.then((opened) => opened.corpus);
      opening
        .then(async (opened) => tell({ status: 'open', facts: await factsOf(opened) }))
        .catch((error: unknown) => tell({ status: 'refused', failure: toFailure(error) }));
      // Whoever needs the text asks for it; nobody has to.
      corpus.catch(() => undefined);
    },
    forget() {
      reading?.abort();
      reading = undefined;
      corpus = undefined;
      announce({ status: 'none' });
    },
  };
}

interface OpenText {
  readonly corpus: Corpus;
  readonly bytes: number;
}

interface Reading {
  readonly fields: Partial<TextFields>;
  readonly fetcher: typeof fetch;
  readonly signal: AbortSignal;
}

async function read(
  choice: TextChoice,
  tell: (state: TextState) => void,
  { fetcher, fields, signal }: Reading,
): Promise<OpenText> {
  const name = nameOf(choice);
  tell({ status: 'scanning', name, bytes: 0, size: 0 });
  const source = await sourceOf(choice, fetcher, signal);
  const { size } = source;
  const corpus = await openCorpus(source, {
    preparation: preparationFrom(fields),
    learn: choiceFrom(fields),
    signal,
    onProgress: (bytes) => tell({ status: 'scanning', name, bytes, size }),
  });
  return { corpus, bytes: size };
}

async function sourceOf(
  choice: TextChoice,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<ByteSource> {
  switch (choice.kind) {
    case 'pasted':
      return blobSource(new Blob([choice.text]), choice.name);
    case 'file':
      // Read in slices, so that it may be larger than the memory.
      return blobSource(choice.file, choice.file.name);
    case 'bundled': {
      const answer = await fetcher(choice.url, { signal });
      if (!answer.ok) throw new TypeError(`could not fetch ${choice.name}: ${answer.status}`);
      return blobSource(await answer.blob(), choice.name);
    }
  }
}

function nameOf(choice: TextChoice): string {
  return choice.kind === 'file' ? choice.file.name : choice.name;
}

async function factsOf({ corpus, bytes }: OpenText): Promise<TextFacts> {
  const { name, digest, characters, distinct, encodings, length, tokenizer } = corpus;
  const beginning = await corpus.read(0, Math.min(PREVIEW_CHARACTERS, length));
  return {
    name,
    bytes,
    characters,
    distinct,
    tokens: length,
    vocabulary: tokenizer.size,
    tokenizer: tokenizer.kind,
    encoding: encodings[0] ?? 'utf-8',
    digest,
    preview: tokenizer.decode(beginning),
  };
}
