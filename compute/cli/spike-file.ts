import { open } from 'node:fs/promises';
import type { Recording, Simulation } from '../../engine/index.ts';

/** Spikes as lines of CSV, written while a simulation runs. */
export interface SpikeFile {
  write(recording: Recording): Promise<void>;
  close(): Promise<void>;
}

export async function openSpikeFile(path: string, { description }: Simulation): Promise<SpikeFile> {
  const file = await open(path, 'w');
  await file.write('time_ms,population,neuron\n');
  return {
    async write(recording) {
      for (const { name } of description.populations) {
        const events = recording.spikes.get(`${name}.spikes`);
        if (!events || events.step.length === 0) continue;
        const field = /[",\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
        const lines = Array.from(events.step, (step, i) => {
          const time = Number((step * description.dt).toPrecision(12));
          return `${time},${field},${events.neuron[i]}\n`;
        });
        await file.write(lines.join(''));
      }
    },
    close: () => file.close(),
  };
}
