/** Spikes per step of each neuron for each example, `[rows, neurons]`. */
export function ratesOf({ spikes }, rows, steps = 20) {
  const rates = new Float32Array(spikes.length / steps);
  for (const [at, spike] of spikes.entries()) rates[at % rates.length] += spike / steps;
  return rates;
}

/** Errors `[rows, outputs]` of output neurons: how far their rates are from 0.8 for the class and 0.1 for others. */
export function errorsOf(rates, y, outputs) {
  return rates.map((rate, at) => (at % outputs === y[Math.floor(at / outputs)] ? 0.8 : 0.1) - rate);
}

/**
 * The learning signal of each hidden neuron, `[rows, neurons]`: the errors through fixed random weights in place of
 * those that lead forward, times how ready the neuron is to change (broadcast e-prop, Bellec et al. 2020).
 */
export function broadcast(rates, errors, { neurons, outputs }) {
  return rates.map((rate, at) => {
    const [row, neuron] = [Math.floor(at / neurons), at % neurons];
    let signal = 0;
    for (let k = 0; k < outputs; k++) {
      signal += errors[row * outputs + k] * Math.sin(7.3 * (neuron * outputs + k) + 1);
    }
    return rate * (1 - rate) * signal;
  });
}

/** Moves weights `[inputs, outputs]` and biases by what lies at both ends of each synapse. */
export function learn(model, name, { input, signal, rate }) {
  const [weight, bias] = [model.parameter(`${name}.weight`), model.parameter(`${name}.bias`)];
  const outputs = bias.length;
  const inputs = weight.length / outputs;
  const rows = signal.length / outputs;
  for (const [at, one] of signal.entries()) {
    const [row, output] = [Math.floor(at / outputs), at % outputs];
    bias[output] += (rate * one) / rows;
    for (let i = 0; i < inputs; i++) {
      weight[i * outputs + output] += (rate * one * input[row * inputs + i]) / rows;
    }
  }
}
