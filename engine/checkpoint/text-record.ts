import * as z from 'zod/mini';
import { TEXT_ENCODINGS } from '../data/text/encoding.ts';
import { NORMALISATIONS, TEXT_FORMATS, type TextPreparation } from '../data/text/prepared-text.ts';

/** How the bytes of a dataset became text, with nothing left out. */
export const TextRecord = z.object({
  encoding: z.enum(['detected', ...TEXT_ENCODINGS]),
  format: z.enum(['by_name', ...TEXT_FORMATS]),
  aozora: z.boolean(),
  normalise: z.enum(NORMALISATIONS),
});
export type TextRecord = z.infer<typeof TextRecord>;

export function textRecordOf({ encoding, format, aozora, normalise }: TextPreparation): TextRecord {
  return {
    encoding: encoding ?? 'detected',
    format: format ?? 'by_name',
    aozora: aozora ?? false,
    normalise: normalise ?? 'none',
  };
}

/** The preprocessing of a checkpoint's text; none for checkpoints older than this record. */
export function preparationOf(record: TextRecord | undefined): TextPreparation {
  if (!record) return {};
  const { encoding, format, aozora, normalise } = record;
  return {
    ...(encoding !== 'detected' && { encoding }),
    ...(format !== 'by_name' && { format }),
    aozora,
    normalise,
  };
}
