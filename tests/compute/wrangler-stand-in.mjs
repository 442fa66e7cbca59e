#!/usr/bin/env node
// Stands in for wrangler: notes each call with what came in, and answers as SCRIPT says.
import { appendFileSync, readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const stdin = readFileSync(0, 'utf8');
appendFileSync(process.env['STAND_IN_CALLS'] ?? '', `${JSON.stringify({ args, stdin })}\n`);
/** @type {readonly { call: string, code?: number, out?: string, err?: string }[]} */
const answers = JSON.parse(process.env['STAND_IN_ANSWERS'] ?? '[]');
const answer = answers.find(({ call }) => args.join(' ').startsWith(call));
process.stdout.write(answer?.out ?? '');
process.stderr.write(answer?.err ?? '');
process.exit(answer?.code ?? 0);
