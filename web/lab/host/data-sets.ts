import {
  blobSource,
  type Corpus,
  type DataFiles,
  EngineError,
  familyDescriptions,
  loadFamily,
  type RunData,
  type RunSettings,
  singleFile,
} from '../../../engine/index.ts';
import { nameOfFiles } from '../../ui/dropped-files.ts';
import type { DataChoice, DataFacts, DataState } from '../protocol.ts';
import { openDropped } from './dropped-data.ts';
import { toFailure } from './to-failure.ts';

/** Characters of the beginning that are shown. */
const PREVIEW_CHARACTERS = 600;

export interface DataSets {
  /**
   * The chosen data as the family of these settings reads it, once it is read to its end. Rejects with what
   * is wrong with it, or where nothing was chosen.
   */
  current(settings: RunSettings): Promise<RunData>;
  /** Reads other data; what is being read is given up. */
  choose(choice: DataChoice, settings: RunSettings): void;
  /** There is no data any more. */
  forget(): void;
}

/** @param announce called with every change: bytes read, the facts, the refusal */
export function createDataSets(
  announce: (state: DataState) => void,
  fetcher: typeof fetch,
): DataSets {
  let chosen: DataChoice | undefined;
  let held: { readonly key: string; readonly data: Promise<RunData> } | undefined;
  let reading: AbortController | undefined;

  function open(choice: DataChoice, settings: RunSettings): Promise<RunData> {
    reading?.abort();
    const mine = new AbortController();
    reading = mine;
    const tell = (state: DataState) => {
      if (reading === mine) announce(state);
    };
    const opening = read(choice, settings, { tell, fetcher, signal: mine.signal });
    const data = opening.then((opened) => opened.data);
    held = { key: keyOf(settings), data };
    opening
      .then(async (opened) => tell({ status: 'open', facts: await factsOf(opened) }))
      .catch((error: unknown) => tell({ status: 'refused', failure: toFailure(error) }));
    // Whoever needs the data asks for it; nobody has to.
    data.catch(() => undefined);
    return data;
  }

  return {
    async current(settings) {
      if (!chosen) {
        throw new EngineError('text-too-short', 'no data was chosen: expected some to learn from');
      }
      return held?.key === keyOf(settings) ? held.data : open(chosen, settings);
    },
    choose(choice, settings) {
      chosen = choice;
      void open(choice, settings);
    },
    forget() {
      reading?.abort();
      reading = undefined;
      chosen = undefined;
      held = undefined;
      announce({ status: 'none' });
    },
  };
}

/** Data is read anew only where another family reads it, or a field changes that its reading depends on. */
function keyOf({ architecture, fields }: RunSettings): string {
  const { category, dataFields } = familyDescriptions[architecture];
  const reader = category === 'LangText' ? category : architecture;
  return JSON.stringify([reader, dataFields.map((name) => fields[name])]);
}

interface OpenData {
  readonly data: RunData;
  readonly bytes: number;
}

interface Reading {
  readonly tell: (state: DataState) => void;
  readonly fetcher: typeof fetch;
  readonly signal: AbortSignal;
}

async function read(
  choice: DataChoice,
  settings: RunSettings,
  { tell, fetcher, signal }: Reading,
): Promise<OpenData> {
  const name = nameOf(choice);
  tell({ status: 'scanning', name, bytes: 0, size: 0 });
  const family = await loadFamily(settings.architecture);
  const files = await filesOf(choice, fetcher, signal);
  const size = files.files.reduce((sum, file) => sum + file.size, 0);
  const data = await family.openData(files, settings, {
    signal,
    onProgress: (bytes) => tell({ status: 'scanning', name, bytes, size }),
  });
  return { data, bytes: size };
}

async function filesOf(
  choice: DataChoice,
  fetcher: typeof fetch,
  signal: AbortSignal,
): Promise<DataFiles> {
  switch (choice.kind) {
    case 'pasted':
      return singleFile(blobSource(new Blob([choice.text]), choice.name));
    case 'files':
      return openDropped(choice.files);
    case 'bundled': {
      const answer = await fetcher(choice.url, { signal });
      if (!answer.ok) throw new TypeError(`could not fetch ${choice.name}: ${answer.status}`);
      return singleFile(blobSource(await answer.blob(), choice.name));
    }
  }
}

function nameOf(choice: DataChoice): string {
  return choice.kind === 'files' ? nameOfFiles(choice.files) : choice.name;
}

async function factsOf({ data, bytes }: OpenData): Promise<DataFacts> {
  const { name, digest, length, shape } = data;
  const text = textFactsOf(data);
  const preview = await previewOf(data);
  return { name, bytes, length, shape, digest, preview, ...(text && { text }) };
}

function textFactsOf(data: RunData): DataFacts['text'] {
  const corpus = corpusOf(data);
  if (!corpus) return undefined;
  const { characters, distinct, encodings, tokenizer } = corpus;
  return { characters, distinct, encodings, tokenizer: tokenizer.kind };
}

async function previewOf(data: RunData): Promise<string> {
  const corpus = corpusOf(data);
  if (!corpus) return '';
  const ids = await corpus.read(0, Math.min(PREVIEW_CHARACTERS, corpus.length));
  return corpus.tokenizer.decode(ids);
}

/** The text of data that is one. */
export function corpusOf(data: RunData): Corpus | undefined {
  // Only text familyDescriptions give their data a corpus.
  return (data as RunData & { readonly corpus?: Corpus }).corpus;
}
