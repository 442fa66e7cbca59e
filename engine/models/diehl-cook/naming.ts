/** Responses of neurons to labelled images: spikes `[images][neurons]`. */
interface Answers {
  readonly counts: Float32Array;
  readonly labels: Uint8Array;
  readonly neurons: number;
  readonly classes: number;
}

/** The class that each neuron answers to with the most spikes on average: the only use of labels. */
export function assignLabels({ counts, labels, neurons, classes }: Answers): Uint8Array {
  const images = new Float64Array(classes);
  const spikes = new Float64Array(neurons * classes);
  for (const [image, label] of labels.entries()) {
    images[label] = (images[label] ?? 0) + 1;
    for (let n = 0; n < neurons; n++) {
      const place = n * classes + label;
      spikes[place] = (spikes[place] ?? 0) + (counts[image * neurons + n] ?? 0);
    }
  }
  return Uint8Array.from({ length: neurons }, (_, n) => {
    const means = Array.from(
      images,
      (count, c) => (spikes[n * classes + c] ?? 0) / Math.max(1, count),
    );
    return means.indexOf(Math.max(...means));
  });
}

/** The class whose neurons fired most on average, for each image. */
export function classify(counts: Float32Array, names: Uint8Array, classes: number): Uint8Array {
  const members = new Float64Array(classes);
  for (const name of names) members[name] = (members[name] ?? 0) + 1;
  return Uint8Array.from({ length: counts.length / names.length }, (_, image) => {
    const votes = new Float64Array(classes);
    for (const [n, name] of names.entries()) {
      votes[name] = (votes[name] ?? 0) + (counts[image * names.length + n] ?? 0);
    }
    const means = Array.from(votes, (vote, c) => vote / Math.max(1, members[c] ?? 0));
    return means.indexOf(Math.max(...means));
  });
}

/** Fraction of images whose class was predicted correctly, from 0 to 1. */
export function accuracyOf(told: Uint8Array, labels: Uint8Array): number {
  const right = told.reduce((sum, c, i) => sum + Number(c === labels[i]), 0);
  return right / told.length;
}
