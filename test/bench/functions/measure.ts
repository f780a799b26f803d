/** Runs each candidate in its own process, one after the other within each round. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Round } from './figures.ts';

/** A candidate: its name in the report, and its bundle. */
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

/** Returns the candidates in a different order for each round, so that their predecessors vary. */
const rotate = (runs: readonly Run[], by: number): Run[] =>
  runs.map((_, at) => runs[(at + by) % runs.length] as Run);

interface Figures {
  readonly import: number;
  readonly first: number;
  readonly body: string;
}

const startOnce = async ({ bundle }: Run, { request, environment }: Setting): Promise<Figures> => {
  const child = spawn(process.execPath, [processFile('start'), bundle, request], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  return JSON.parse(await text(child.stdio[3] as Readable));
};

/** Returns a response without its times. */
const readAnswer = (body: string): string =>
  JSON.stringify(JSON.parse(body)).replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, '"a time"');

/** Throws if two candidates respond differently, because their times would not be comparable. */
const checkAnswers = (answers: ReadonlyMap<string, string>): void => {
  const [[first, body] = ['', ''], ...others] = [...answers];
  for (const [name, other] of others) {
    if (readAnswer(other) === readAnswer(body)) continue;
    throw new Error(`${name} and ${first} answer differently: ${other}, ${body}`);
  }
};

/** Gets the number of completed rounds; returns whether another one follows. */
export type GoOn = (done: number) => boolean;

/** The processor time of imports, and of imports with their first requests, in fresh processes. */
export const measureStarts = async (
  runs: readonly Run[],
  setting: Setting,
  goOn: GoOn,
): Promise<Record<'imports' | 'starts', Round[]>> => {
  const imports: Round[] = [];
  const starts: Round[] = [];
  do {
    const imported: Record<string, number> = {};
    const started: Record<string, number> = {};
    const answers = new Map<string, string>();
    for (const run of rotate(runs, imports.length)) {
      const figures = await startOnce(run, setting);
      imported[run.name] = figures.import;
      started[run.name] = figures.import + figures.first;
      answers.set(run.name, figures.body);
    }
    checkAnswers(answers);
    imports.push(imported);
    starts.push(started);
  } while (goOn(imports.length));
  return { imports, starts };
};

interface Batch {
  readonly microseconds: number;
  readonly body: string;
}

/** A process that answers requests; `ended` rejects once it exits. */
interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  readonly ended: Promise<never>;
}

/** Resolves to the next message of a process. A process that exits writes the reason on stderr. */
const listen = async ({ child, ended }: Started): Promise<unknown> => {
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
};

const ask = async (started: Started, count: number): Promise<Batch> => {
  started.child.send(count);
  return (await listen(started)) as Batch;
};

const startWarm = async (
  { name, bundle }: Run,
  { request, environment }: Setting,
): Promise<Started> => {
  const child = fork(processFile('warm'), [bundle, request], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  // A pipe with a reader, as in Lambda.
  child.stdout?.resume();
  const ended = once(child, 'exit').then((): never => {
    throw new Error('A process that was measured has ended');
  });
  // At the end, all processes exit without a listener.
  ended.catch(() => undefined);
  const started = { name, child, ended };
  await listen(started);
  return started;
};

/** The processor time of a request, after enough requests that Node no longer compiles. */
export const measureWarm = async (
  runs: readonly Run[],
  setting: Setting,
  { before, each }: { readonly before: number; readonly each: number },
  goOn: GoOn,
): Promise<Round[]> => {
  const started = await Promise.all(runs.map((run) => startWarm(run, setting)));
  const measured: Round[] = [];
  try {
    for (const one of started) await ask(one, before);
    do {
      const round: Record<string, number> = {};
      const answers = new Map<string, string>();
      for (const one of started) {
        const { microseconds, body } = await ask(one, each);
        round[one.name] = microseconds;
        answers.set(one.name, body);
      }
      checkAnswers(answers);
      measured.push(round);
    } while (goOn(measured.length));
  } finally {
    for (const { child } of started) child.kill();
  }
  return measured;
};
