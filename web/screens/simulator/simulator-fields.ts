import { NETWORKS } from '../../simulator/networks.ts';
import type { NumberRule } from '../../ui/number-input.ts';
import { integer, oneOf } from '../../url-state/fields.ts';

export const SEED_RULE: NumberRule = { kind: 'integer', min: 0, max: 999_999_999 };

/** Settings in the URL: which of the built-in networks, and its seed. */
export const FIELDS = {
  net: oneOf('izhikevich', NETWORKS),
  seed: integer(1, SEED_RULE),
};
