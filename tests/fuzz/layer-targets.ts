import { decodeJson } from '../../engine/checkpoint/files.ts';
import { encodeBlocks } from '../../engine/checkpoint/parameters-file.ts';
import { networkFrom } from '../../engine/layers/network-json.ts';
import { decodeNetwork, encodeNetwork } from '../../engine/layers/saved-network.ts';
import { decodeTraining, encodeTraining } from '../../engine/layers/training-file.ts';
import { inspectModel } from '../../engine/layers/inspect.ts';
import {
  alif,
  averagePool,
  conv1d,
  conv2d,
  delays,
  dropout,
  flatten,
  layerNorm,
  lif,
  linear,
  type Network,
  neuron,
  recurrentLif,
  residual,
  sequential,
} from '../../library/index.ts';
import { isEngineError as isRefusal } from './data-targets.ts';
import { jsons, type Target } from './target.ts';

const OWN =
  'state u = 0\nlearn b = 0.5 in [0, 1] per neuron\nu = b * u + I\ns = spike(u - 1)\nu = u - detach(s)';
const networks: readonly Network[] = [
  sequential([linear(3, { name: 'hidden' }), lif({ beta: 0.5 }), dropout(0.1), linear(2), lif()], {
    input: 4,
    steps: 3,
  }),
  sequential(
    [conv2d(2, 3, { padding: 'same' }), lif(), averagePool(2), flatten(), linear(2), neuron(OWN)],
    { input: [1, 4, 4], steps: 2 },
  ),
  sequential([conv1d(2, 3), flatten(), delays(2), residual([layerNorm(), linear(6)]), alif()], {
    input: [1, 5],
  }),
  sequential([recurrentLif({ bias: false })], { input: 2, steps: 2 }),
];

const block = ({ layout }: Network) => new Float32Array(layout.blockBytes / 4).fill(0.25);
const [first] = networks as [Network];
const run = {
  ...{ step: 7, epoch: 2, stepOfEpoch: 1, seed: 5, batchSize: 4, optimizer: 'adamW' },
  ...{ values: block(first), momentum: block(first), variance: block(first), averaging: 'none' },
};

/** A network of any size is described in a few letters: what is read may be placed, and is not made. */
const MADE_BYTES = 1 << 20;

/** Readers of what the library saves. */
export const layerTargets: readonly Target[] = [
  {
    name: 'saved network',
    seeds: () => networks.map((network) => encodeNetwork(network, block(network))),
    read: (bytes) => decodeNetwork(bytes),
    isRefusal,
  },
  {
    name: 'network of a file',
    form: 'json',
    seeds: () => jsons(first),
    read(bytes) {
      const network = JSON.stringify(decodeJson('case', bytes));
      const metadata = { format: 'spikegrid.network', version: '1', network };
      return decodeNetwork(encodeBlocks(first.layout, { '': block(first) }, metadata));
    },
    isRefusal,
  },
  {
    name: 'network description',
    form: 'json',
    seeds: () => jsons(...networks),
    read(bytes) {
      const network = networkFrom(decodeJson('case', bytes));
      if (network.layout.blockBytes < MADE_BYTES && network.steps < 10) inspectModel(network, 1);
    },
    isRefusal,
  },
  {
    name: 'resumed training',
    seeds: () => [
      encodeTraining(first.layout, run),
      encodeTraining(first.layout, {
        ...run,
        averaging: 'decay 0.9',
        average: { values: block(first), taken: 3 },
        best: { epoch: 1, score: -0.5, by: 'loss', values: block(first) },
      }),
    ],
    read: (bytes) => decodeTraining(first.layout, bytes),
    isRefusal,
  },
];
