import type { KernelCall } from '../../graph/kernel.ts';
import type { Program } from '../../graph/program.ts';
import { settle } from '../../kernel-language/operators.ts';
import { isWritten, type Variant, variantOf } from '../../kernel-language/written-kernel.ts';
import { sizeOf } from '../../kernel-language/body.ts';
import { real } from './arguments.ts';
import { type Bound, grainOf, type Site } from './commands.ts';
import { type Missing, type Plan, planBody, splitOf } from './emit/plan.ts';

const plans = new WeakMap<Variant, Plan>();

function planOf(variant: Variant): Plan {
  const plan = plans.get(variant) ?? planBody(variant.body);
  plans.set(variant, plan);
  return plan;
}

/** The command of a kernel that is written in the kernel language. */
export function bindWritten(call: KernelCall, site: Site): Bound {
  const variant = variantOf(call);
  const plan = planOf(variant);
  const attribute = (name: string) => Number(call.attributes[name]);
  const split = splitOf(plan, (size) => sizeOf(size, attribute));
  const { items, grain, scratchBytes, segment } = split;
  const args = [
    ...Object.keys(call.kernel.operands).map((name) => site.at(call.operands[name])),
    ...Array.from(variant.attributes, ([name, type]) =>
      type === 'float' ? real(attribute(name)) : attribute(name),
    ),
    ...plan.analysis.settled.map((node) => real(settle(node, attribute))),
    ...(variant.body.isCheckpointed && segment !== undefined ? [segment] : []),
  ];
  const command = { kernel: variant.name, items, grain: grainOf(items, site.threads, grain), args };
  return { commands: [{ ...command, scratchBytes }] };
}

/** The kernels that the programs call and `known` has not, once each. */
export function missingFrom(
  programs: readonly Program[],
  known: ReadonlySet<string>,
): readonly Missing[] {
  const missing = new Map<string, Missing>();
  for (const call of programs.flatMap(({ calls }) => calls)) {
    if (!isWritten(call.kernel)) continue;
    const variant = variantOf(call);
    if (known.has(variant.name)) continue;
    const { operands } = call.kernel;
    missing.set(variant.name, { variant, plan: planOf(variant), operands });
  }
  return [...missing.values()];
}
