import {
  type EvaluationChoice,
  type EvaluationReport,
  type Evaluator,
  openEvaluation,
  parseDevice,
  type SplitName,
  SPLITS,
} from '../../engine/index.ts';
import { openTokenFile } from '../checkpoints/token-file.ts';
import { openData } from '../data/open-data.ts';
import { EXIT_CODES, onStopSignal, type StopSignal } from '../process/stop-signals.ts';
import { formatReport } from './evaluation-text.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';
import { loadModelFiles } from './load-model.ts';
import { numberOption } from './numbers.ts';
import { type DeviceFlags, deviceOptions, openNodeDevice } from './open-device.ts';
import { Presets, SingleBar } from 'cli-progress';
import { Command, Option } from 'commander';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';

interface EvaluateOptions extends DeviceFlags, GatewayOptions {
  readonly model: string;
  readonly data: string;
  readonly split: SplitName;
  readonly streams: number;
  readonly windows?: number | true;
  readonly output?: string;
  readonly json?: true;
}

/** As many as validation takes. */
const VALIDATION_WINDOWS = 256;
const KIB = 1024;

export function evaluateCommand(): Command {
  const command = atGateway(new Command('evaluate'), 'registry:read')
    .requiredOption('--model <model>', 'a run, a checkpoint, or a model id[@version|@alias]')
    .requiredOption(
      '--data <path>',
      'data of the kind the model was trained on: a text, or a folder',
    )
    .addOption(
      new Option('--split <name>', 'part of the data; validation is its own split, else a tenth')
        .choices(SPLITS)
        .default('validation'),
    )
    .option(
      '--streams <n>',
      'parts of the text evaluated in parallel, each with carried state',
      numberOption,
      1,
    )
    .option(
      '--windows [n]',
      `score windows without context, as validation does (${VALIDATION_WINDOWS} where n is left out)`,
      numberOption,
    )
    .option('--output <file>', 'write the report to this file')
    .option('--json', 'print the report as one line of JSON');
  return deviceOptions(command).action(evaluate);
}

/** Of a text whose bytes do not tell its tokens. */
const openStore = () => openTokenFile(tmpdir());

async function evaluate(options: EvaluateOptions): Promise<void> {
  parseDevice(options.device);
  const files = await loadModelFiles(options.model, options);
  const data = await openData(options.data);
  const stop = new AbortController();
  const offSignals = onStopSignal((signal) => stop.abort(signal));
  try {
    const backend = await openNodeDevice(options);
    const { signal } = stop;
    const sources = { backend, data, choice: choiceOf(options), openStore, signal };
    const { evaluator, report } = await openEvaluation(files, sources);
    if (!options.json)
      console.error(`${evaluator.total} ${evaluator.unit}s on ${backend.device.label}`);
    const bar = createEvaluateBar(evaluator, { isShown: !options.json });
    const evaluated = await evaluator.run({ signal, onProgress: bar.advance }).finally(bar.stop);
    await publish(
      report(evaluated, {
        name: options.model,
        createdAt: new Date().toISOString(),
        processPeak: process.resourceUsage().maxRSS * KIB,
      }),
      options,
    );
    evaluator.close();
    backend.close();
  } catch (error) {
    // Nothing was evaluated yet where opening the data was ended: there is no report.
    if (!stop.signal.aborted || error !== stop.signal.reason) throw error;
    console.error('stopped before anything was evaluated');
  } finally {
    offSignals();
    await data.close();
  }
  // The reason of the abort above.
  const stopped = stop.signal.reason as StopSignal | undefined;
  if (stopped) process.exitCode = EXIT_CODES[stopped];
}

function choiceOf({ split, streams, windows }: EvaluateOptions): EvaluationChoice {
  if (windows === undefined) return { split, streams };
  return { split, streams, windows: windows === true ? VALIDATION_WINDOWS : windows };
}

async function publish(report: EvaluationReport, { output, json }: EvaluateOptions): Promise<void> {
  if (output !== undefined) await writeFile(output, `${JSON.stringify(report, undefined, 2)}\n`);
  if (json) console.log(JSON.stringify(report));
  else console.log(formatReport(report));
}

/** How far an evaluation has come, for a person at a terminal. */
function createEvaluateBar(
  { total, unit }: Pick<Evaluator, 'total' | 'unit'>,
  { isShown }: { readonly isShown: boolean },
) {
  const format = ` {bar} {percentage} % | {value} of {total} ${unit}s | {speed} a second | {eta_formatted} left`;
  const bar = new SingleBar(
    { format, hideCursor: true, noTTYOutput: false },
    Presets.shades_classic,
  );
  const started = performance.now();
  if (isShown) bar.start(total, 0, { speed: '…' });
  return {
    advance(done: number) {
      const seconds = (performance.now() - started) / 1000;
      if (isShown) bar.update(done, { speed: Math.round(done / seconds) });
    },
    stop: () => bar.stop(),
  };
}
