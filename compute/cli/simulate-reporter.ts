import { Presets, SingleBar } from 'cli-progress';
import { createSpikeMeter, type Recording, type Simulation } from '../../engine/index.ts';

/** Tells a person, or a program that reads JSON, how a simulation goes. */
export interface SimulateReporter {
  advanced(step: number): void;
  recorded(recording: Recording): void;
  finished(): void;
}

interface Reported {
  readonly steps: number;
  readonly json: boolean;
  readonly device: string;
}

const MS = 1000;

export function createSimulateReporter(
  simulation: Simulation,
  { steps, json, device }: Reported,
): SimulateReporter {
  const { description, plan, synapses } = simulation;
  const { populations, dt } = description;
  const meters = populations.map(({ name, count }) => ({
    name,
    count,
    meter: createSpikeMeter(count, dt),
  }));
  const bar = json || !process.stderr.isTTY ? undefined : createBar();
  if (!json) {
    console.error(
      `${plan.neurons} neurons, ${synapses} synapses, ${plan.totalBytes} bytes on ${device}`,
    );
  }
  const started = performance.now();
  bar?.start(steps, 0, { speed: '…' });
  return {
    advanced(step) {
      const seconds = (performance.now() - started) / MS;
      bar?.update(step, { speed: Math.round(step / seconds) });
    },
    recorded(recording) {
      for (const { name, meter } of meters) {
        const events = recording.spikes.get(`${name}.spikes`);
        if (events) meter.add(events);
      }
    },
    finished() {
      bar?.stop();
      const seconds = (performance.now() - started) / MS;
      const done = simulation.step();
      const summaries = meters.map(({ name, count, meter }) => ({
        name,
        count,
        ...meter.statistics(Math.max(1, done)),
      }));
      if (json)
        console.log(
          JSON.stringify({ steps: done, dt, seconds, populations: summaries.map(lineOf) }),
        );
      else printTable(summaries, { done, dt, seconds });
    },
  };
}

interface Summary {
  readonly name: string;
  readonly count: number;
  readonly spikes: number;
  readonly rateHz: number;
  readonly isiCv: number;
  readonly measured: number;
}

/** `isi_cv` is null where no neuron fired often enough. */
function lineOf({ name, count, spikes, rateHz, isiCv, measured }: Summary) {
  const cv = Number.isNaN(isiCv) ? null : isiCv;
  return { name, neurons: count, spikes, rate_hz: rateHz, isi_cv: cv, isi_neurons: measured };
}

interface Span {
  readonly done: number;
  readonly dt: number;
  readonly seconds: number;
}

function printTable(summaries: readonly Summary[], { done, dt, seconds }: Span): void {
  const width = Math.max('population'.length, ...summaries.map(({ name }) => name.length));
  const row = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(width) : cell.padStart(10))).join(' ');
  console.log(row(['population', 'neurons', 'spikes', 'rate Hz', 'ISI CV']));
  for (const { name, count, spikes, rateHz, isiCv } of summaries) {
    const cv = Number.isNaN(isiCv) ? '–' : isiCv.toFixed(3);
    console.log(row([name, String(count), String(spikes), rateHz.toFixed(2), cv]));
  }
  const simulated = ((done * dt) / MS).toFixed(3);
  console.error(
    `${done} steps, ${simulated} s of the network in ${seconds.toFixed(1)} s (${Math.round(done / seconds)} steps a second)`,
  );
}

function createBar(): SingleBar {
  const format = '{bar} {value}/{total} steps, {speed} a second, {eta_formatted} left';
  return new SingleBar({ format, hideCursor: true }, Presets.shades_classic);
}
