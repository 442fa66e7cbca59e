import { Command } from 'commander';
import { VERSION } from '../../edge/http/version.ts';

interface Entry {
  readonly description: string;
  /** Imports the module of the command, which no other command pays for. */
  readonly load: () => Promise<Command>;
}

const COMMANDS = {
  train: {
    description: 'Train a model of any family on text, images or audio.',
    load: async () => (await import('./train.ts')).trainCommand(),
  },
  new: {
    description: 'Make a project with a page, a training script and a test.',
    load: async () => (await import('./new.ts')).newCommand(),
  },
  generate: {
    description: 'Generate text with a trained model.',
    load: async () => (await import('./generate.ts')).generateCommand(),
  },
  caption: {
    description: 'Caption an image or a sound with a trained model.',
    load: async () => (await import('./caption.ts')).captionCommand(),
  },
  evaluate: {
    description: 'Evaluate a trained model: loss or accuracy, spikes, energy, speed, memory.',
    load: async () => (await import('./evaluate.ts')).evaluateCommand(),
  },
  compare: {
    description: 'Compare runs: a table of metrics and settings that differ, and pictures.',
    load: async () => (await import('./compare.ts')).compareCommand(),
  },
  inspect: {
    description: 'Verify the digests of a checkpoint and show its contents.',
    load: async () => (await import('./inspect.ts')).inspectCommand(),
  },
  convert: {
    description:
      'Convert a float transformer to spikes without training, and report the loss in accuracy.',
    load: async () => (await import('./convert.ts')).convertCommand(),
  },
  data: {
    description: 'Inspect training data.',
    load: async () => (await import('./data.ts')).dataCommand(),
  },
  kernels: {
    description: 'List the kernels, or show what one computes on each device.',
    load: async () => (await import('./kernels.ts')).kernelsCommand(),
  },
  simulate: {
    description: 'Simulate a network of spiking neurons.',
    load: async () => (await import('./simulate.ts')).simulateCommand(),
  },
  register: {
    description: 'Register a checkpoint in the model registry.',
    load: async () => (await import('./register.ts')).registerCommand(),
  },
  models: {
    description: 'List, upload and download the models of the registry.',
    load: async () => (await import('./models.ts')).modelsCommand(),
  },
  serve: {
    description: 'Serve the models of the registry until stopped.',
    load: async () => (await import('./serve.ts')).serveCommand(),
  },
  infer: {
    description: 'Generate text, or classify an image or a sound, with the inference service.',
    load: async () => (await import('./infer.ts')).inferCommand(),
  },
  jobs: {
    description: 'Submit, follow and cancel training jobs of the platform.',
    load: async () => (await import('./jobs.ts')).jobsCommand(),
  },
  sweep: {
    description: 'Train many runs that differ in some fields, and register the best of them.',
    load: async () => (await import('./sweep.ts')).sweepCommand(),
  },
  events: {
    description: 'Follow the events of jobs, models, alerts, regions and nodes.',
    load: async () => (await import('./events.ts')).eventsCommand(),
  },
  logs: {
    description: 'Follow, search and publish the log of the distributed brain.',
    load: async () => (await import('./logs.ts')).logsCommand(),
  },
  memory: {
    description: 'Store, search, trace and delete memories.',
    load: async () => (await import('./memory.ts')).memoryCommand(),
  },
  datasets: {
    description: 'Upload, list and delete datasets that every trainer can fetch.',
    load: async () => (await import('./datasets.ts')).datasetsCommand(),
  },
  trainer: {
    description: 'Train jobs of the platform on this machine, one after another, until stopped.',
    load: async () => (await import('./trainer.ts')).trainerCommand(),
  },
  'training-server': {
    description: 'Run a trainer that also accepts requests itself, for language models.',
    load: async () => (await import('./training-server.ts')).trainingServerCommand(),
  },
  sensor: {
    description: 'Register sensors, send readings, and watch them as spikes.',
    load: async () => (await import('./sensor.ts')).sensorCommand(),
  },
  geo: {
    description: 'Show the regions and which one is active, and fail over to another.',
    load: async () => (await import('./geo.ts')).geoCommand(),
  },
  keys: {
    description: 'Create, list and revoke API keys.',
    load: async () => (await import('./keys.ts')).keysCommand(),
  },
  plugins: {
    description: 'List, check, run and control plugins.',
    load: async () => (await import('./plugins.ts')).pluginsCommand(),
  },
  'plugin-host': {
    description: 'Serve plugins over HTTP until stopped: list, configure, activate, execute.',
    load: async () => (await import('./plugin-host.ts')).pluginHostCommand(),
  },
  'test-host': {
    description:
      'Run the tests of this project on request over HTTP; needs ENABLE_TEST_ENDPOINT=1.',
    load: async () => (await import('./test-host.ts')).testHostCommand(),
  },
  discovery: {
    description: 'Watch the nodes on an MQTT broker of your own and serve what is known of them.',
    load: async () => (await import('./discovery.ts')).discoveryCommand(),
  },
  node: {
    description: 'Run a node of the distributed brain until stopped.',
    load: async () => (await import('./node.ts')).nodeCommand(),
  },
  ask: {
    description: 'Send a prompt to the PFC of the distributed brain and show its route.',
    load: async () => (await import('./ask.ts')).askCommand(),
  },
  nir: {
    description: 'Read, run and write networks of the neuromorphic intermediate representation.',
    load: async () => (await import('./nir.ts')).nirCommand(),
  },
} satisfies Record<string, Entry>;

/**
 * `spikegrid` with the named command. Without one, every command is there by name and description
 * only: enough for `--help` and for the suggestion of the nearest name.
 */
export async function loadProgram(name: string | undefined): Promise<Command> {
  const program = new Command('spikegrid')
    .description('Train, simulate, serve and operate spiking neural networks.')
    .version(VERSION, '-V, --version');
  if (isCommand(name)) {
    const { description, load } = COMMANDS[name];
    return program.addCommand((await load()).description(description));
  }
  for (const [listed, { description }] of Object.entries(COMMANDS)) {
    program.addCommand(new Command(listed).description(description));
  }
  return program;
}

function isCommand(name: string | undefined): name is keyof typeof COMMANDS {
  return name !== undefined && Object.hasOwn(COMMANDS, name);
}
