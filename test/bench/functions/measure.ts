/** Runs candidates in processes of their own, one after the other within each round. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Round } from './figures.ts';

/** A candidate by its name in the report, and its bundle. */
export interface Run {
  readonly name: string;
  readonly bundle: string;
}

export interface Setting {
  /** The file of the request. */
  readonly request: string;
  readonly environment: Readonly<Record<string, string>>;
}

const processFile = (name: string): string => join(import.meta.dirname, `${name}-process.mjs`);

/** The round's candidates in another order each time, so that none always comes after the same one. */
const rotate = (runs: readonly Run[], by: number): Run[] =>
  runs.map((_, at) => runs[(at + by) % runs.length] as Run);

interface Started {
  readonly import: number;
  readonly first: number;
  readonly body: string;
}

const startOnce = async ({ bundle }: Run, { request, environment }: Setting): Promise<Started> => {
  const child = spawn(process.execPath, [processFile('start'), bundle, request], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  return JSON.parse(await text(child.stdio[3] as Readable));
};

/** All give the same answer, or what they take says nothing. */
const checkAnswers = (answers: ReadonlyMap<string, string>): void => {
  const [[first, body] = ['', ''], ...others] = [...answers];
  for (const [name, other] of others) {
    if (JSON.stringify(JSON.parse(other)) === JSON.stringify(JSON.parse(body))) continue;
    throw new Error(`${name} and ${first} answer differently: ${other}, ${body}`);
  }
};

/** The processor time of imports and first requests, in fresh processes. */
export const measureStarts = async (
  runs: readonly Run[],
  setting: Setting,
  rounds: number,
  onRound: (done: number) => void,
): Promise<Record<'import' | 'start', Round[]>> => {
  const imports: Round[] = [];
  const starts: Round[] = [];
  for (let at = 0; at < rounds; at += 1) {
    const imported: Record<string, number> = {};
    const started: Record<string, number> = {};
    const answers = new Map<string, string>();
    for (const run of rotate(runs, at)) {
      const figures = await startOnce(run, setting);
      imported[run.name] = figures.import;
      started[run.name] = figures.import + figures.first;
      answers.set(run.name, figures.body);
    }
    checkAnswers(answers);
    imports.push(imported);
    starts.push(started);
    onRound(at + 1);
  }
  return { import: imports, start: starts };
};

interface Batch {
  readonly microseconds: number;
  readonly body: string;
}

const ask = async (child: ChildProcess, count: number): Promise<Batch> => {
  child.send(count);
  const [batch] = await once(child, 'message');
  return batch as Batch;
};

const startWarm = async ({ name, bundle }: Run, { request, environment }: Setting) => {
  const child = fork(processFile('warm'), [bundle, request], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  // As where Lambda takes logs from: a pipe that somebody reads.
  child.stdout?.resume();
  await once(child, 'message');
  return { name, child };
};

/** The first rounds, in which Node still compiles, do not count. */
const warmUpRounds = 5;

/** The processor time of a request, in processes that have answered many. */
export const measureWarm = async (
  runs: readonly Run[],
  setting: Setting,
  { rounds, requests }: { readonly rounds: number; readonly requests: number },
  onRound: (done: number) => void,
): Promise<Round[]> => {
  const started = await Promise.all(runs.map((run) => startWarm(run, setting)));
  const measured: Round[] = [];
  try {
    for (let at = 0; at < warmUpRounds + rounds; at += 1) {
      const round: Record<string, number> = {};
      const answers = new Map<string, string>();
      for (const { name, child } of started) {
        const { microseconds, body } = await ask(child, requests);
        round[name] = microseconds;
        answers.set(name, body);
      }
      checkAnswers(answers);
      if (at >= warmUpRounds) measured.push(round);
      onRound(Math.max(0, at + 1 - warmUpRounds));
    }
  } finally {
    for (const { child } of started) child.kill();
  }
  return measured;
};
