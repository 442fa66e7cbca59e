import { EngineError } from '../../errors.ts';
import type { WrittenNeuron } from '../../kernels/written-neuron.ts';
import { parseNeuron } from '../../neurons/equations.ts';

interface Written {
  readonly equations?: WrittenNeuron;
}

/** The neurons of a field; none where it is empty. Throws EngineError `invalid-equation`. */
export function readEquations(text: string): Written {
  return text.trim() === '' ? {} : { equations: parseNeuron(text) };
}

/**
 * The neurons of a model_spec, which is not trusted. Throws EngineError `invalid-equation`, or
 * `checkpoint-damaged` where they are not those that were stored.
 */
export function readStoredEquations(
  stored: { readonly text: string; readonly digest: string } | undefined,
): Written {
  if (!stored) return {};
  const equations = parseNeuron(stored.text);
  if (equations.digest === stored.digest) return { equations };
  throw new EngineError(
    'checkpoint-damaged',
    `the equations of the neurons have the digest ${equations.digest}: expected ${stored.digest}`,
  );
}
