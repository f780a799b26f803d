/** A fresh process: the processor time of importing a bundle and answering a first request, written to its pipe. */
import { readFileSync, writeSync } from 'node:fs';

const [bundle, request] = process.argv.slice(2);
const { event, status } = JSON.parse(readFileSync(request, 'utf8'));
const context = { getRemainingTimeInMillis: () => 10_000 };

const began = process.cpuUsage();
const { handler } = await import(bundle);
const imported = process.cpuUsage(began);
const answer = await handler(event, context);
const answered = process.cpuUsage(began);

if (answer.statusCode !== status) throw new Error(`${bundle} answers ${answer.statusCode}`);

const sum = ({ user, system }) => user + system;
const figures = { import: sum(imported), first: sum(answered) - sum(imported), body: answer.body };
writeSync(3, JSON.stringify(figures));
process.exit();
