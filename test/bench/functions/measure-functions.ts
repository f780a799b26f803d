/** All that is measured of the registry's handlers and their peers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgressBar } from '../progress-bar.ts';
import { buildCandidates, candidates, honoDefault, type Part, weigh } from './build-candidates.ts';
import { makeEnvironment } from './environment.ts';
import { compare, type Round } from './figures.ts';
import { measureStarts, measureWarm, type Run, type Setting } from './measure.ts';
import type { Report } from './report.ts';
import { type Kind, kinds, requests } from './requests.ts';
import { startStandIn } from './stand-in.ts';

const base = 'bare';
/** The control: whatever it differs by from what it is the same as. */
const control = 'bare again';

/** How many requests one process answers in a round. */
const batches = { request: 200, handler: 1000 } as const;

const showProgress = async <T>(
  label: string,
  rounds: number,
  measure: (onRound: (done: number) => void) => Promise<T>,
): Promise<T> => {
  const bar = startProgressBar(label);
  const measured = await measure((done) => bar.update(done / rounds));
  bar.finish();
  return measured;
};

const writeRequests = (folder: string): Readonly<Record<Kind, string>> => {
  const write = (kind: Kind): [Kind, string] => {
    const path = join(folder, `${kind}.json`);
    writeFileSync(path, JSON.stringify(requests[kind]));
    return [kind, path];
  };
  return Object.fromEntries(kinds.map(write)) as Record<Kind, string>;
};

const measureIn = async (folder: string, url: string, rounds: number): Promise<Report> => {
  const findBundle = await buildCandidates(folder);
  const files = writeRequests(folder);
  const environment = makeEnvironment(url);
  const settingOf = (kind: Kind): Setting => ({ request: files[kind], environment });
  const listRuns = (part: Part, more: readonly string[] = []): Run[] =>
    [...candidates, control, ...more].map((name) => ({ name, bundle: findBundle(name, part) }));
  const whole = listRuns('whole', [honoDefault]);
  const starts = await showProgress('starts', rounds, (onRound) =>
    measureStarts(whole, settingOf('read'), rounds, onRound),
  );
  const measure = async (part: Part, kind: Kind, count: number): Promise<Round[]> =>
    showProgress(part === 'whole' ? 'requests' : `handlers, ${kind}`, rounds, (onRound) =>
      measureWarm(listRuns(part), settingOf(kind), { rounds, requests: count }, onRound),
    );
  const alone = async (kind: Kind) => compare(await measure(kind, kind, batches.handler), base);
  return {
    rounds,
    bundle: Object.fromEntries(
      whole.filter(({ name }) => name !== control).map(({ name, bundle }) => [name, weigh(bundle)]),
    ),
    import: compare(starts.import, base),
    start: compare(starts.start, base),
    request: compare(await measure('whole', 'read', batches.request), base),
    read: await alone('read'),
    list: await alone('list'),
    write: await alone('write'),
  };
};

export const measureFunctions = async (rounds: number): Promise<Report> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-functions-'));
  const standIn = await startStandIn();
  try {
    return await measureIn(folder, standIn.url, rounds);
  } finally {
    standIn.close();
    rmSync(folder, { recursive: true });
  }
};
