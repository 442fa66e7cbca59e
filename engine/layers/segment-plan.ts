import { EngineError } from '../errors.ts';
import type { Loss } from '../losses/loss.ts';
import type { Network } from './network.ts';
import { refused } from './options.ts';

/** How the steps of a network are run in segments. */
interface SegmentPlan {
  readonly count: number;
  /** Steps of each segment but the last. */
  readonly length: number;
  /** Steps of the last one: from 2 to one more than `length`. */
  readonly last: number;
}

/**
 * Divides steps into about as many segments as are asked for, all of them alike but the last. None has one step
 * alone: that would look as what is the same in every step.
 */
export function planSegments(steps: number, asked: number): SegmentPlan {
  if (asked > steps / 2) {
    throw refused(
      'segments',
      `${asked} of ${steps} time steps: expected at most ${Math.floor(steps / 2)}, as each has at least 2`,
    );
  }
  const length = Math.ceil(steps / asked);
  const left = steps % length;
  const count = left > 1 ? Math.ceil(steps / length) : Math.floor(steps / length);
  return { count, length, last: steps - (count - 1) * length };
}

/** Throws EngineError that names the first layer, or the loss, that cannot be run in segments. */
export function expectSegments({ layers }: Network, loss: Loss | undefined): void {
  const layer = layers.find((one) => one.inSegments !== true);
  if (layer) {
    throw new EngineError(
      'invalid-structure',
      `${layer.site.title}: it needs time steps of other segments than its own: expected layers each of whose steps ` +
        'is computed by itself, neurons other than recurrentLif, or no segments',
    );
  }
  if (!loss || loss.inSegments === true) return;
  throw new EngineError(
    'invalid-setting',
    `loss ${loss.name}: it needs all time steps at once: expected one on counts, rates, or the mean, sum, maximum or ` +
      'last step of membranes, or no segments',
  );
}
