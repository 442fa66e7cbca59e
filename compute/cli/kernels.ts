import { Command } from 'commander';
import {
  EngineError,
  equationKernels,
  isWritten,
  kernelHead,
  kernels,
  parseNeuron,
} from '../../engine/index.ts';
import { readNeuronFile } from './neuron-file.ts';

export function kernelsCommand(): Command {
  return new Command('kernels')
    .argument('[name]', 'a kernel, such as lif_backward: show its equations, layouts and exactness')
    .option(
      '--neuron <file>',
      'the kernels of a neuron that is given by equations, its gradient too',
    )
    .addHelpText('after', '\nWithout a name it lists all kernels, a line each.')
    .action((name: string | undefined, { neuron }: { neuron?: string }) => {
      if (neuron !== undefined) console.log(kernelsOfNeuron(neuron));
      else console.log(name === undefined ? listOfKernels() : kernelHead(kernelNamed(name)));
    });
}

function listOfKernels(): string {
  const all = Object.values(kernels);
  const lines = all.map(
    (kernel) =>
      `${kernel.name.padEnd(32)} ${kernel.area.padEnd(14)} ${isWritten(kernel) ? 'equations' : 'by hand'}`,
  );
  const written = all.filter(isWritten).length;
  return [
    ...lines,
    `${all.length} kernels: ${written} are equations, ${all.length - written} by hand`,
  ].join('\n');
}

function kernelsOfNeuron(file: string): string {
  const { forward, backward } = equationKernels(parseNeuron(readNeuronFile(file)));
  return [forward, backward].map((kernel) => kernelHead(kernel)).join('\n\n');
}

function kernelNamed(name: string) {
  const found = Object.values(kernels).find((kernel) => kernel.name === name);
  if (found) return found;
  throw new EngineError(
    'invalid-setting',
    `there is no kernel ${JSON.stringify(name)}: expected one that \`spikegrid kernels\` lists`,
  );
}
