import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = '.trainer-id';
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id of the trainer behind a server, the same after a restart: jobs in the queue name it. */
export async function keptTrainerId(output: string): Promise<string> {
  await mkdir(output, { recursive: true });
  const place = join(output, FILE);
  const kept = await readFile(place, 'utf8').catch(() => '');
  if (/^trn_[0-9A-Z]{26}$/.test(kept)) return kept;
  const digits = Array.from({ length: 26 }, () => DIGITS[randomInt(DIGITS.length)]);
  const id = `trn_${digits.join('')}`;
  await writeFile(place, id);
  return id;
}
