import type { Tensor } from './tensor.ts';

/** The gradients known so far while the rules are walked back. */
export interface Gradients {
  /** Whether anybody needs the gradient of `tensor`. */
  needs(tensor: Tensor): boolean;
  /**
   * Has `emit` write the gradient of `tensor` into `target`, or add to it when `accumulate`.
   * Does nothing when nobody needs it.
   */
  into(tensor: Tensor, emit: (target: Tensor, accumulate: boolean) => void): void;
  /**
   * The gradient of `tensor` is `gradient`, already computed; it may be taken over and changed, so
   * this comes last in a rule.
   */
  give(tensor: Tensor, gradient: Tensor): void;
}

/** The gradient of one traced op. */
export interface GradientRule {
  readonly inputs: readonly Tensor[];
  readonly output: Tensor;
  /** Carries gradients back from segments behind it: it is called with zeros where its output has none. */
  readonly isCarried?: boolean;
  /**
   * Records the calls that turn the gradient of `output` into gradients of the inputs. `gradient` is
   * complete and nobody else's: the rule may change it and give it away.
   */
  backward(gradient: Tensor, gradients: Gradients): void;
}
