import { once } from 'node:events';

/** Writes a line, and waits for a reader that is slow. */
export async function writeLine(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}
