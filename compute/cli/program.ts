import { Command } from 'commander';

/** A module for each command: what it imports is loaded where that command is asked for alone. */
const COMMANDS = {
  train: async () => (await import('./train.ts')).trainCommand(),
  generate: async () => (await import('./generate.ts')).generateCommand(),
  caption: async () => (await import('./caption.ts')).captionCommand(),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(),
  inspect: async () => (await import('./inspect.ts')).inspectCommand(),
  convert: async () => (await import('./convert.ts')).convertCommand(),
  data: async () => (await import('./data.ts')).dataCommand(),
  simulate: async () => (await import('./simulate.ts')).simulateCommand(),
  register: async () => (await import('./register.ts')).registerCommand(),
  models: async () => (await import('./models.ts')).modelsCommand(),
  serve: async () => (await import('./serve.ts')).serveCommand(),
  infer: async () => (await import('./infer.ts')).inferCommand(),
  jobs: async () => (await import('./jobs.ts')).jobsCommand(),
  events: async () => (await import('./events.ts')).eventsCommand(),
  logs: async () => (await import('./logs.ts')).logsCommand(),
  memory: async () => (await import('./memory.ts')).memoryCommand(),
  datasets: async () => (await import('./datasets.ts')).datasetsCommand(),
  trainer: async () => (await import('./trainer.ts')).trainerCommand(),
  'training-server': async () => (await import('./training-server.ts')).trainingServerCommand(),
  sensor: async () => (await import('./sensor.ts')).sensorCommand(),
  geo: async () => (await import('./geo.ts')).geoCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  plugins: async () => (await import('./plugins.ts')).pluginsCommand(),
  'plugin-host': async () => (await import('./plugin-host.ts')).pluginHostCommand(),
  'test-host': async () => (await import('./test-host.ts')).testHostCommand(),
  discovery: async () => (await import('./discovery.ts')).discoveryCommand(),
  node: async () => (await import('./node.ts')).nodeCommand(),
  ask: async () => (await import('./ask.ts')).askCommand(),
  nir: async () => (await import('./nir.ts')).nirCommand(),
} satisfies Record<string, () => Promise<Command>>;

/** The command that was asked for, or all of them: to be listed, or for the nearest name. */
function wanted(name: string | undefined): readonly (() => Promise<Command>)[] {
  return isCommand(name) ? [COMMANDS[name]] : Object.values(COMMANDS);
}

function isCommand(name: string | undefined): name is keyof typeof COMMANDS {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}

/** `spikegrid` with the command of this name; with all of them where there is none such. */
export async function loadProgram(name: string | undefined): Promise<Command> {
  const program = new Command('spikegrid').description(
    'Train, inspect and use spiking language models.',
  );
  const loaded = await Promise.all(wanted(name).map((load) => load()));
  for (const command of loaded) program.addCommand(command);
  return program;
}
