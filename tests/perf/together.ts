import { mkdirSync, mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callEndpoint, openHttp } from '../../edge/contract/client.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import { type JobRecord, TERMINAL } from '../../edge/training/contract/job.ts';
import type { TrainRequestInput } from '../../edge/training/contract/train-request.ts';
import { sendDataset } from '../../trainer/send-dataset.ts';
import { writeNovel } from '../compute/spikegrid-process.ts';
import { startTrainer } from '../compute/trainer-process.ts';
import { startGateway } from '../e2e/gateway-process.ts';
import { buildDashboard, launchBrowser } from './lab-tab.ts';
import { note } from './report.ts';

/**
 * Two trainers of Node and a tab train one job together; a member leaves in the middle and another
 * joins. Prints the curve beside that of one trainer after as many tokens (issue 5: within 3 %), and
 * what travelled in a round. It needs what `npm run bench` unpacks:
 *
 *   SPIKEGRID_CHROMIUM=… node tests/perf/together.ts
 */
const STEPS = 6000;
const LOCAL_STEPS = 50;
const REPLICAS = 3;
/** Rounds after which a member leaves. */
const ROUNDS_BEFORE = 10;
/** Steps between two validations of one trainer; those that train together take three rounds. */
const VALIDATE_EVERY = 3 * REPLICAS * LOCAL_STEPS;
const PATIENCE_MS = 15 * 60_000;
const LOOK_MS = 250;

const request: TrainRequestInput = {
  model_type: 'dense_chronospike',
  dataset_path: 'datasets/moby-dick.txt',
  learning_rate: 0.01,
  config: {
    steps: STEPS,
    d_model: 32,
    n_heads: 2,
    num_blocks: 1,
    time_steps: 2,
    seq_len: 32,
    batch_size: 8,
    validate_every: VALIDATE_EVERY,
    checkpoint_every: VALIDATE_EVERY,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'spikegrid-together-'));
const data = join(folder, 'data');
mkdirSync(data);
const platform = await startGateway(await buildDashboard(folder), join(folder, 'state'), [
  '--no-trainer',
  '--no-inference',
  '--no-plugins',
]);
const address = { base: `${platform.url}/training`, headers: {} };
const training = openHttp(address);
const file = await openAsBlob(writeNovel(folder));
await sendDataset(address, { name: 'moby-dick.txt', file });

const alone = startMember('alone');
const single = await ended(await submit({ ...request, model_name: 'alone' }));
alone.process.kill('SIGTERM');
await alone.ended();
const singleCurve = await curveOf(single);

const [leaver, stayer] = [startMember('leaver'), startMember('stayer')];
const browser = await launchBrowser();
const page = await browser.newPage({ locale: 'en-US' });
page.on('dialog', (dialog) => void dialog.accept());
await page.goto(`${platform.url}/trainers`);
await page.getByRole('button', { name: 'Lend this tab' }).click();
const shared = await submit({
  ...request,
  model_name: 'together',
  replicas: REPLICAS,
  distributed: { local_steps: LOCAL_STEPS },
  config: { ...request.config, checkpoint_every: 3 * LOCAL_STEPS },
});
await until(
  shared,
  (job) => membersOf(job) === REPLICAS && (job.rounds?.round ?? 0) > ROUNDS_BEFORE,
);
leaver.process.kill('SIGTERM');
await leaver.ended();
note('a member has left');
const joiner = startMember('joiner');
const together = await ended(shared);
const curve = await curveOf(together);

print();
await browser.close();
for (const { process: member } of [stayer, joiner]) member.kill('SIGTERM');
await Promise.all([stayer.ended(), joiner.ended()]);
await platform.stop();
rmSync(folder, { recursive: true });
process.exit(0);

function startMember(name: string) {
  return startTrainer({ name, gateway: platform.url, data, output: join(folder, name) });
}

async function submit(body: TrainRequestInput): Promise<string> {
  return (await callEndpoint(training, jobEndpoints.train, { body })).body.job_id;
}

async function until(id: string, is: (job: JobRecord) => boolean): Promise<JobRecord> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { body: job } = await callEndpoint(training, jobEndpoints.getJob, { params: { id } });
    if (is(job)) return job;
    if (performance.now() > deadline || TERMINAL.has(job.status)) {
      throw new Error(`the job has ${job.status}: ${job.status_reason}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function ended(id: string): Promise<JobRecord> {
  return until(id, ({ status }) => status === 'succeeded');
}

function membersOf({ attempts }: JobRecord): number {
  return attempts.filter(({ ended_at }) => ended_at === null).length;
}

interface Validated {
  readonly step: number;
  readonly loss: number;
}

async function curveOf({ job_id: id }: JobRecord): Promise<readonly Validated[]> {
  const { body } = await callEndpoint(training, jobEndpoints.getSeries, {
    params: { id },
    query: {},
  });
  return body.points
    .flatMap(({ step, valid_loss: loss }) => (loss === null ? [] : [{ step, loss }]))
    .toSorted((a, b) => a.step - b.step);
}

function print(): void {
  console.log('steps   one trainer   together');
  const steps = [...new Set([...singleCurve, ...curve].map(({ step }) => step))];
  for (const step of steps.toSorted((a, b) => a - b)) {
    const [one, all] = [singleCurve, curve].map(
      (points) => points.find((point) => point.step === step)?.loss.toFixed(4) ?? '',
    );
    console.log(`${String(step).padStart(5)}   ${one?.padEnd(11)}   ${all}`);
  }
  const [one = Number.NaN, all = Number.NaN] = [singleCurve, curve].map((of) => of.at(-1)?.loss);
  const { round = 1, bytes_sent = 0, bytes_float32 = 0 } = together.rounds ?? {};
  const rounds = round - 1;
  const sent = (bytes: number) => Math.round(bytes / rounds);
  const names = together.attempts.map(
    ({ trainer_name, seat, from_step, last_step, outcome }) =>
      `${trainer_name} at seat ${seat} from ${from_step} to ${last_step} (${outcome})`,
  );
  console.log(`${names.join('; ')}`);
  console.log(
    `${rounds} rounds; ${sent(bytes_sent)} bytes a round instead of ${sent(bytes_float32)} in float32`,
  );
  console.log(
    `after ${STEPS} steps ${all} against ${one}: ${(100 * (all / one - 1)).toFixed(2)} %`,
  );
}
