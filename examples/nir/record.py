"""Records what snnTorch's RSynaptic and Synaptic do with braille.nir, by their equations in float64.

    pip install h5py numpy && python record.py

Layers reset by subtraction, in the step after a spike: mem = beta mem + syn - spk, where syn = alpha syn + input.
"""

import h5py
import numpy as np

STEPS, COUNT, DT = 50, 8, 1e-4
nodes = h5py.File("braille.nir")["node/nodes"]
draws = np.random.default_rng(7)
x = (draws.random((COUNT, STEPS, 12)) < 0.02).astype(np.uint8)


def play(currents, node, loop=None):
    """Spikes and membranes, [steps, examples, neurons], of currents of the same shape."""
    alpha, beta = (1 - DT / node[name][()] for name in ("tau_syn", "tau_mem"))
    spikes = syn = mem = np.zeros(currents.shape[1:])
    recorded = []
    for current in currents:
        syn = alpha * syn + current + (0 if loop is None else spikes @ loop)
        mem = beta * mem + syn - spikes * node["v_threshold"][()]
        spikes = (mem > node["v_threshold"][()]).astype(float)
        recorded.append((spikes, mem))
    return (np.array(signal) for signal in zip(*recorded))


hidden, outputs = nodes["lif1/nodes/lif1"], nodes["lif2"]
loop = nodes["lif1/nodes/lin/weight"][()].astype(float).T
spikes1, membranes1 = play(x.transpose(1, 0, 2) @ nodes["fc1/weight"][()].T.astype(float), hidden, loop)
spikes2, membranes2 = play(spikes1 @ nodes["fc2/weight"][()].T.astype(float), outputs)
recorded = {
    "lif1.lif1.spikes": spikes1.astype(np.uint8),
    "lif1.lif1.membranes": membranes1.astype(np.float32),
    "lif2.spikes": spikes2.astype(np.uint8),
    "lif2.membranes": membranes2.astype(np.float32),
}
np.savez_compressed("recorded.npz", x=x, **recorded)
print({name: signal.mean() for name, signal in recorded.items()})
