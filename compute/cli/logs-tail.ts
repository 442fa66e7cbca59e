import { openLogStream } from '../../edge/logs/contract/log-stream.ts';
import { ProblemError } from '../../edge/contract/problem-error.ts';
import { openGateway } from './gateway-access.ts';
import type { FilterOptions } from './logs-options.ts';
import { printable } from '../process/terminal.ts';
import { describeGap, describeLog } from './logs-text.ts';
import { writeLine } from './write-line.ts';

interface TailOptions extends FilterOptions {
  readonly lines: number;
  readonly count?: number;
}

/** Shows messages as they come, until it is ended or has shown `--count` of them. */
export async function followLogs(options: TailOptions): Promise<void> {
  const { level, source, moduleType, lines, json, count = Infinity, ...access } = options;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  let left = count;
  const stream = openLogStream({
    http: openGateway(access),
    filter: { level, source, module_type: moduleType },
    tail: lines,
    async take(items) {
      for (const item of items) {
        if (item.type === 'gap' && !json) console.error(describeGap(item));
        else if (left > 0)
          await writeLine(
            json || item.type === 'gap' ? printable(JSON.stringify(item)) : describeLog(item),
          );
        if (item.type === 'log') left -= 1;
      }
      if (left <= 0) resolve();
    },
    changed(state) {
      if (state.status !== 'lost') return;
      const { error } = state;
      // A refusal is final; a server that does not respond may come back.
      if (error instanceof ProblemError && !error.problem.retryable) return reject(error);
      console.error(`the connection is gone; again in ${(state.retryInMs / 1000).toFixed(1)} s`);
    },
  });
  try {
    await ended;
  } finally {
    stream.close();
  }
}
