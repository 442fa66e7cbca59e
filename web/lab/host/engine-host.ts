import { ProblemError } from '../../../edge/contract/problem-error.ts';
import type { RegistryClient } from '../../../edge/registry/contract/client.ts';
import {
  type CheckpointFiles,
  EngineError,
  loadFamily,
  type RunSettings,
  profileControls,
  splitCorpus,
  type TextGenerator,
  unpackModel,
} from '../../../engine/index.ts';
import type {
  Command,
  FromWorker,
  LabEvent,
  RequestMessage,
  Requests,
  ToWorker,
  GenerationRequest,
} from '../protocol.ts';
import { readCheckpointFiles, zipCheckpoint } from './checkpoint-zip.ts';
import { createDevices, type Devices, type OpenBackend } from './devices.ts';
import { registerCheckpoint } from './registered.ts';
import { RunHost } from './run-host.ts';
import { corpusOf, createDataSets, type DataSets } from './data-sets.ts';
import type { OpenRun } from './open-run.ts';
import { settle } from './to-failure.ts';
import { createTurns } from './turns.ts';
import { writeInTurns } from './writer.ts';
import { createWriters, type Writers } from './writers.ts';

/** Dependencies of the host; tests pass their own. */
export interface HostSources {
  readonly post: (message: FromWorker, transfer?: Transferable[]) => void;
  readonly openBackend: OpenBackend;
  readonly registry: RegistryClient;
  readonly fetch: typeof fetch;
  /** Milliseconds, never running backwards. */
  readonly now: () => number;
}

/** How long to train at a time: short while text is written, so that it does not stutter. */
const STRIDE_MS = { alone: 100, shared: 40 } as const;

/** Digits of the step in a file's name, as the command line writes its folders. */
const STEP_DIGITS = 6;

type CommandTable = {
  readonly [K in Command['kind']]: (command: Extract<Command, { kind: K }>) => void;
};

/** Does what a command of any kind asks for. */
function obey<K extends Command['kind']>(
  table: { readonly [Kind in K]: (command: Extract<Command, { kind: Kind }>) => void },
  command: Extract<Command, { kind: K }>,
): void {
  // The key and the command are of one kind, which an index by a union cannot show.
  (table[command.kind] as (command: Command) => void)(command);
}

type Answer<K extends keyof Requests> = Promise<Requests[K]['answer']>;

/** The worker's side of the lab: answers the page and announces every change. */
export class EngineHost {
  readonly #sources: HostSources;
  readonly #turns = createTurns();
  readonly #data: DataSets;
  readonly #devices: Devices;
  readonly #writers: Writers;
  readonly #run: RunHost;
  readonly #commands: CommandTable = {
    'open-data': ({ choice, settings }) => this.#data.choose(choice, settings),
    'close-data': () => this.#data.forget(),
    open: (command) => void this.#run.open(command),
    train: () => this.#run.train('train'),
    step: () => this.#run.train('step'),
    pause: () => this.#run.pause(),
    reset: () => {
      this.#begun = undefined;
      void this.#run.reset();
    },
    watch: (watch) => this.#run.watch(watch),
    'stop-writing': () => this.#writing?.stop.abort(),
  };
  /** A registration that was begun and not finished. */
  #begun: { readonly key: string; readonly files: CheckpointFiles } | undefined;
  #writing: { readonly stop: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(sources: HostSources) {
    const { post, now } = sources;
    const announce = (event: LabEvent, transfer?: Transferable[]) => post(event, transfer);
    this.#sources = sources;
    this.#data = createDataSets((data) => announce({ kind: 'data', data }), sources.fetch);
    this.#writers = createWriters(sources.registry);
    this.#devices = createDevices(sources.openBackend, (backend, reason) =>
      this.#run.lost(backend, reason),
    );
    this.#run = new RunHost({
      announce,
      data: (settings) => this.#data.current(settings),
      devices: this.#devices,
      turns: this.#turns,
      strideMs: () => (this.#writing ? STRIDE_MS.shared : STRIDE_MS.alone),
      release: () => this.#stopGeneration(),
      now,
    });
  }

  receive(message: ToWorker): void {
    if (message.kind === 'command') obey(this.#commands, message.command);
    else void this.#reply(message);
  }

  /** Gives back what was taken from the device. */
  async close(): Promise<void> {
    await this.#stopGeneration();
    await this.#run.reset();
    this.#devices.close();
  }

  async #reply(message: RequestMessage): Promise<void> {
    const outcome = await settle<unknown>(this.#answer(message));
    this.#sources.post({ kind: 'answer', id: message.id, outcome });
  }

  #answer(message: RequestMessage): Answer<RequestMessage['what']> {
    switch (message.what) {
      case 'plan':
        return this.#plan(message.ask);
      case 'write':
        return this.#write(message.ask);
      case 'save':
        return this.#save();
      case 'load':
        return this.#load(message.ask);
      case 'diagnose':
        return this.#run.diagnose();
      case 'register':
        return this.#register(message.ask);
    }
  }

  async #plan(settings: RunSettings): Answer<'plan'> {
    const family = await loadFamily(settings.architecture);
    const data = await this.#data.current(settings);
    family.check(settings);
    const plan = family.plan(settings, profileControls('auto', settings), data.shape);
    const corpus = corpusOf(data);
    // Refuses a text too short for the sequence.
    if (corpus) splitCorpus(corpus, Number(settings.fields['seq_len']));
    return plan;
  }

  #write(request: GenerationRequest): Answer<'write'> {
    if (this.#writing) {
      const busy = new EngineError('invalid-setting', 'a text is being written: expected to wait');
      return Promise.reject(busy);
    }
    const stop = new AbortController();
    const work = this.#writeOn(request, stop.signal).finally(() => (this.#writing = undefined));
    this.#writing = { stop, ended: work.catch(() => undefined) };
    return work;
  }

  async #writeOn(request: GenerationRequest, signal: AbortSignal): Answer<'write'> {
    const generator = await this.#generator(request);
    const { post, now } = this.#sources;
    const wrote = (text: string) => post({ kind: 'wrote', text });
    return writeInTurns(generator, request, { turns: this.#turns, now, signal, wrote });
  }

  async #generator({ writer, device }: GenerationRequest): Promise<TextGenerator> {
    const open = this.#run.current();
    if (writer.kind === 'lab' && open) return writerOf(open);
    const backend = await this.#devices.open(device);
    if (writer.kind === 'registered') return this.#writers.openRegistered(writer, backend);
    const { files } = await this.#run.checkpoint();
    return this.#writers.open(files, unpackModel(files), backend);
  }

  async #stopGeneration(): Promise<void> {
    this.#writing?.stop.abort();
    await this.#writing?.ended;
  }

  async #save(): Answer<'save'> {
    const { step, files } = await this.#run.checkpoint();
    const number = String(step).padStart(STEP_DIGITS, '0');
    return { name: `spikegrid-${number}.zip`, file: await zipCheckpoint(files) };
  }

  async #load(chosen: readonly File[]): Answer<'load'> {
    return this.#run.load(await readCheckpointFiles(chosen));
  }

  /** After a cut, the same version goes on with the same files, wherever the training is by then. */
  async #register(choice: Requests['register']['ask']): Answer<'register'> {
    const key = `${choice.id}@${choice.version}`;
    const begun = this.#begun?.key === key ? this.#begun : undefined;
    const files = begun?.files ?? (await this.#run.checkpoint()).files;
    this.#begun = { key, files };
    const onProgress = (sentBytes: number, totalBytes: number) =>
      this.#sources.post({ kind: 'uploaded', sentBytes, totalBytes });
    const { registry } = this.#sources;
    try {
      const registered = await registerCheckpoint(registry, files, { choice, onProgress });
      this.#begun = undefined;
      return registered;
    } catch (error) {
      // An upload that the registry refused is not resumed later.
      if (error instanceof ProblemError && !error.problem.retryable) this.#begun = undefined;
      throw error;
    }
  }
}

/** Throws EngineError `invalid-setting` where the run's family writes no text. */
function writerOf({ run }: OpenRun): TextGenerator {
  if (run.generator) return run.generator;
  const { architecture } = run.settings;
  throw new EngineError('invalid-setting', `${architecture} writes no text`);
}
