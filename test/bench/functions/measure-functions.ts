/** All measurements of the registry's functions and their peers. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgressBar } from '../progress-bar.ts';
import { buildCandidates, candidates, honoDefault, type With, weigh } from './build-candidates.ts';
import { makeEnvironment } from './environment.ts';
import { compare } from './figures.ts';
import { type GoOn, measureStarts, measureWarm, type Run, type Setting } from './measure.ts';
import type { Report } from './report.ts';
import { type Kind, kinds, requests } from './requests.ts';
import { startStandIn } from './stand-in.ts';

const base = 'bare';
/** The control: an identical candidate, whose difference is noise. */
const control = 'bare again';

/** The time limit of a section, even on a busy machine. All sections together take less than three minutes. */
const sectionMs = 18_000;
/** The time limit of the section with fresh processes, which are slow. */
const startsMs = 40_000;

/** One kind of request, repeated in the same processes. */
interface Repeated {
  readonly kind: Kind;
  readonly how: With;
  /** The number of requests of a process before the first round, and in each round: fewer for slow ones. */
  readonly before: number;
  readonly each: number;
}

const request: Repeated = { kind: 'read', how: 'client', before: 300, each: 100 };
const read: Repeated = { kind: 'read', how: 'replay', before: 2000, each: 200 };
const list: Repeated = { kind: 'list', how: 'replay', before: 2000, each: 200 };
const write: Repeated = { kind: 'write', how: 'replay', before: 500, each: 50 };

/** Shows the progress of a section, and ends it at its time limit. */
const section = async <T>(
  label: string,
  { rounds, ms = sectionMs }: { readonly rounds: number; readonly ms?: number },
  measure: (goOn: GoOn) => Promise<T>,
): Promise<T> => {
  const bar = startProgressBar(label);
  const end = performance.now() + ms;
  const measured = await measure((done) => {
    bar.update(done / rounds);
    return done < rounds && performance.now() < end;
  });
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
  const listRuns = (kind: Kind, how: With, ...more: readonly string[]): Run[] =>
    [...candidates, control, ...more].map((name) => ({
      name,
      bundle: findBundle(name, kind, how),
    }));
  const measure = async (label: string, { kind, how, ...batches }: Repeated) =>
    compare(
      await section(label, { rounds }, (goOn) =>
        measureWarm(listRuns(kind, how), settingOf(kind), batches, goOn),
      ),
      base,
    );
  const loaded = listRuns('read', 'client', honoDefault);
  const starts = await section('starts', { rounds, ms: startsMs }, (goOn) =>
    measureStarts(loaded, settingOf('read'), goOn),
  );
  return {
    bundle: Object.fromEntries(
      loaded
        .filter(({ name }) => name !== control)
        .map(({ name, bundle }) => [name, weigh(bundle)]),
    ),
    import: compare(starts.imports, base),
    start: compare(starts.starts, base),
    request: await measure('requests', request),
    read: await measure('handlers, read', read),
    list: await measure('handlers, list', list),
    write: await measure('handlers, write', write),
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
