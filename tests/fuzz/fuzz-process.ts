import { parseArgs } from 'node:util';
import { watchCases } from './watched-cases.ts';

// A process for the cases of one parser, so that its memory is the parser's: prints what came of them as JSON.
const { values } = parseArgs({
  options: {
    parser: { type: 'string' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '1000' },
  },
});
const from = Number(values.from);
const range = { seed: Number(values.seed), from, to: from + Number(values.count) };
console.log(JSON.stringify(await watchCases(values.parser ?? '', range)));
process.exit(0);
