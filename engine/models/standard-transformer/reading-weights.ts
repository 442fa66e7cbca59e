import { EngineError } from '../../errors.ts';

/** Weights in 8 bits are added up where spikes come: there are none here. */
export function checkWeights(weights: 'float32' | 'int8'): void {
  if (weights === 'float32') return;
  throw new EngineError(
    'invalid-setting',
    `weights is ${weights}: a standard_transformer reads with float32 alone, as no spikes feed its weights`,
  );
}
