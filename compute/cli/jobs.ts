import { Command, Option } from 'commander';
import { callEndpoint, type Http } from '../../edge/contract/client.ts';
import { jobEndpoints } from '../../edge/training/job-endpoints.ts';
import { type JobRecord, JobStatus } from '../../edge/training/contract/job.ts';
import { requireData } from './data-options.ts';
import { pushByContent } from './datasets.ts';
import { atGateway, type GatewayOptions } from './gateway-access.ts';
import { isLocalFile, requestOf, submitOptions, type SubmitOptions } from './jobs-options.ts';
import { OUTCOME_CODES, readJob, watchJob } from './jobs-watch.ts';
import { numberOption } from './numbers.ts';
import { openTraining } from './training-access.ts';

type Shown = GatewayOptions & { readonly json?: true };

export function jobsCommand(): Command {
  return new Command('jobs')
    .addCommand(
      submitOptions(atGateway(new Command('submit'), 'train'))
        .description('Submit a job to the next free trainer.')
        .action(submit),
    )
    .addCommand(
      atGateway(new Command('list'), 'train')
        .description('List jobs, latest first.')
        .addOption(new Option('--status <status>', 'only these').choices(JobStatus.options))
        .option('--limit <n>', 'maximum number of results', numberOption, 20)
        .option('--json', 'one JSON object per line')
        .action(list),
    )
    .addCommand(jobCommand('show', 'Show a job.', show).option('--json', 'print JSON'))
    .addCommand(
      jobCommand(
        'watch',
        'Follow a job to its end. Exit code 0: succeeded, 1: failed, 2: cancelled.',
        watch,
      ).option('--json', 'one JSON object per event'),
    )
    .addCommand(jobCommand('cancel', 'Cancel a job; its last checkpoint is retained.', cancel));
}

function jobCommand(
  name: string,
  description: string,
  action: (id: string, options: Shown) => Promise<void>,
): Command {
  return atGateway(new Command(name), 'train')
    .description(description)
    .argument('<id>', 'its id in "jobs list"')
    .action(action);
}

async function submit(options: SubmitOptions): Promise<void> {
  const http = openTraining(options);
  requireData(options.dataset, options);
  const datasetPath =
    options.dataset !== undefined && isLocalFile(options.dataset)
      ? `datasets/${(await pushByContent(options.dataset, options)).name}`
      : options.dataset;
  const body = requestOf(options, datasetPath);
  const { body: job } = await callEndpoint(http, jobEndpoints.train, { body });
  console.log(options.json ? JSON.stringify(job) : job.job_id);
  if (options.wait) await follow(http, job.job_id, options);
}

async function list({ json, status, limit, ...options }: Shown & ListOptions): Promise<void> {
  const http = openTraining(options);
  const query = { limit: String(limit), ...(status && { status: [status] }) };
  const { body } = await callEndpoint(http, jobEndpoints.listJobs, { query });
  for (const job of body.jobs) console.log(json ? JSON.stringify(job) : describe(job));
}

interface ListOptions {
  readonly status?: JobStatus;
  readonly limit: number;
}

async function show(id: string, { json, ...options }: Shown): Promise<void> {
  const job = await readJob(openTraining(options), id);
  console.log(json ? JSON.stringify(job) : detailsOf(job).join('\n'));
}

async function watch(id: string, options: Shown): Promise<void> {
  await follow(openTraining(options), id, options);
}

/** Follows a job, says how it ended, and makes that the exit code. */
async function follow(http: Http, id: string, { json }: Pick<Shown, 'json'>): Promise<void> {
  const job = await watchJob(http, id, { json: json ?? false });
  console.error(outcomeOf(job));
  process.exitCode = OUTCOME_CODES[job.status as keyof typeof OUTCOME_CODES];
}

async function cancel(id: string, options: GatewayOptions): Promise<void> {
  const asked = { params: { id } };
  const { body } = await callEndpoint(openTraining(options), jobEndpoints.cancelJob, asked);
  console.error(`${body.job_id} is ${body.status}`);
}

function describe({ job_id, status, model_name, dataset_path, progress, metrics }: JobRecord) {
  const loss = metrics.train_loss === null ? '' : `  loss ${metrics.train_loss.toFixed(3)}`;
  const percent = `${Math.floor(progress.percent)} %`;
  return `${job_id}  ${status.padEnd(10)}  ${percent.padStart(5)}  ${model_name}  ${dataset_path}${loss}`;
}

function detailsOf(job: JobRecord): string[] {
  const { progress, metrics, attempts, checkpoints } = job;
  const total = progress.total_steps === null ? '' : ` of ${progress.total_steps}`;
  const losses = `loss ${metrics.train_loss ?? '…'}, validation ${metrics.valid_loss ?? '…'}`;
  return [
    describe(job),
    `  ${job.status_reason || outcomeOf(job)}`,
    `  step ${progress.step}${total}, epoch ${progress.epoch.toFixed(2)}, ${losses}`,
    ...attempts.map(
      ({ attempt, seat, trainer_name, from_step, last_step, outcome }) =>
        `  attempt ${attempt}, seat ${seat}: ${trainer_name}, steps ${from_step} to ${last_step}, ${outcome ?? 'under way'}`,
    ),
    ...checkpoints.map(
      ({ step, digest, size_bytes }) =>
        `  checkpoint of step ${step}: ${size_bytes} bytes, ${digest}`,
    ),
  ];
}

function outcomeOf({ job_id, status, model, error }: JobRecord): string {
  if (model) return `${job_id} succeeded: ${model.model_id} ${model.version} is registered`;
  if (error) return `${job_id} failed: ${error.code}: ${error.message}`;
  return `${job_id} is ${status}`;
}
