import { decayOf } from '../../checks.ts';
import { epropKernels } from '../../kernels/eprop.ts';
import { updateTrace } from '../traces.ts';
import { carried, currentOf, type EpropNeurons, SIDES } from './neuron-model.ts';
import type { EpropStructure } from './structure.ts';

/** Leaky integrate-and-fire neurons, with adaptive thresholds where the structure has them. */
export function lifNeurons(structure: EpropStructure): EpropNeurons {
  const { batch: rows, neurons: width, inputs, tauMembrane, threshold, surrogate, dt } = structure;
  const decay = decayOf('eprop', 'tauMembrane', tauMembrane, dt);
  const membrane = carried('membrane', rows, width);
  const adaptation = carried('adaptation', rows, width);
  const sides = SIDES.map((name) => {
    const pre = name === 'input' ? inputs : width;
    return {
      name,
      pre,
      trace: carried(`${name} trace`, rows, pre),
      eligibility: carried(`${name} eligibility`, rows, pre, width),
      /** The same for the adaptation, which plain LIF has none of. */
      adaptation: structure.adaptation && carried(`${name} adaptation`, rows, pre, width),
    };
  });
  const ofSides = sides.flatMap((side) => [side.trace, side.eligibility, side.adaptation ?? []]);
  return {
    zeroed: [membrane, adaptation, ...ofSides.flat()],
    step(graph, spikes) {
      // The recurrent spikes are still those of the step before.
      for (const { name, trace } of sides) updateTrace(graph, spikes[name], trace, { decay });
      const current = currentOf(graph, spikes);
      const slope = graph.scratch('slope', 'f32', [rows, width]);
      graph.call(
        epropKernels.eprop_neurons,
        { current, membrane, adaptation, spikes: spikes.recurrent, slope },
        { rows, width, decay, threshold, ...adaptationOf(structure), surrogate },
      );
      return (signal, kappa) => {
        for (const { name, pre, trace, eligibility, adaptation: second } of sides) {
          const { gradient } = graph.layout.get(name);
          const operands = { trace, slope, signal, eligibility, gradient };
          const attributes = { rows, pre, post: width, decay: kappa };
          if (!second) graph.call(epropKernels.eprop_update, operands, attributes);
          else {
            const all = { ...attributes, ...adaptationOf(structure) };
            graph.call(
              epropKernels.eprop_adaptive_update,
              { ...operands, adaptation: second },
              all,
            );
          }
        }
      };
    },
  };
}

function adaptationOf({ adaptation, dt }: EpropStructure) {
  if (!adaptation) return { adaptationDecay: 0, adaptationGain: 0 };
  return {
    adaptationDecay: decayOf('eprop', 'adaptation.tau', adaptation.tau, dt),
    adaptationGain: adaptation.gain,
  };
}
