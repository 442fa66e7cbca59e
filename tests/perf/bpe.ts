import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { createBpeTokenizer } from '../../engine/data/tokenizers/bpe-tokenizer.ts';
import { trainBpe } from '../../engine/data/tokenizers/train-bpe.ts';
import { blobSource } from '../../engine/data/files/byte-source.ts';
import { readText } from '../../engine/data/text/encoding.ts';
import { note, report } from './report.ts';

/**
 * How long byte-level BPE takes to learn a text's merges, per megabyte of it. Run by hand:
 * `bpe.ts [--vocabulary 8192] FILE...`; the encoding of a file is detected.
 */
const TARGET_SECONDS = 10;
const MEGABYTE = 1e6;

const { values, positionals } = parseArgs({
  options: { vocabulary: { type: 'string', default: '8192' } },
  allowPositionals: true,
});

for (const path of positionals) {
  const source = blobSource(await openAsBlob(path), basename(path));
  const started = performance.now();
  const model = await trainBpe(readText(source), { vocabulary: Number(values.vocabulary) });
  const seconds = (performance.now() - started) / 1e3;
  report({
    name: `BPE of ${source.name} (${source.size} bytes), ${model.tokens.length} tokens, per MB`,
    value: (seconds * MEGABYTE) / source.size,
    unit: 's',
    target: TARGET_SECONDS,
    better: 'lower',
  });
  const { openEncoder } = createBpeTokenizer(model);
  const encoder = openEncoder();
  const encoding = performance.now();
  let tokens = 0;
  for await (const text of readText(source)) tokens += encoder.push(text).length;
  tokens += encoder.end().length;
  const speed = source.size / MEGABYTE / ((performance.now() - encoding) / 1e3);
  note(`${(source.size / tokens).toFixed(2)} bytes a token, encoded at ${speed.toFixed(1)} MB/s`);
}
