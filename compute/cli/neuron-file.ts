import { readFileSync, statSync } from 'node:fs';
import { EngineError, NEURON_LIMITS, parseNeuron } from '../../engine/index.ts';

/** Bytes of a character at most. */
const UTF8_BYTES = 4;

/** The equations in a file, checked. Throws EngineError `invalid-equation` that names the file and the place in it. */
export function readNeuronFile(path: string): string {
  const refuse = (problem: string): never => {
    throw new EngineError('invalid-equation', `${path}: ${problem}`);
  };
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return refuse('there is no such file');
  if (!found.isFile()) return refuse('it is a folder, expected a file');
  if (found.size > UTF8_BYTES * NEURON_LIMITS.characters) {
    return refuse(
      `it has ${found.size} bytes: expected at most ${NEURON_LIMITS.characters} characters`,
    );
  }
  const text = readFileSync(path, 'utf8');
  try {
    return parseNeuron(text).text;
  } catch (error) {
    return refuse(error instanceof EngineError ? error.message : String(error));
  }
}
